/** MCP: what its methods ask for, and the answers that are our own. */
@NullMarked
package gatebook.api.mcp;

import org.jspecify.annotations.NullMarked;
