/** The methods of MCP: their targets, and results merged from several sources. */
@NullMarked
package gatebook.api.mcp;

import org.jspecify.annotations.NullMarked;
