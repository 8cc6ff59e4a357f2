/** MCP sessions over HTTP: exchanges and resumable streams. */
@NullMarked
package gatebook.api.mcp.session;

import org.jspecify.annotations.NullMarked;
