/** Whole nodes, called through MCP: calls, tasks, sessions, holds and several sources. */
@NullMarked
package gatebook.api.node.mcp;

import org.jspecify.annotations.NullMarked;
