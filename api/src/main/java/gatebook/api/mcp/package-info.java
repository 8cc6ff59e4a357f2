/** The methods of MCP. */
@NullMarked
package gatebook.api.mcp;

import org.jspecify.annotations.NullMarked;
