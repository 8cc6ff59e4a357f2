/**
 * Conversations with clients of MCP: what each is told besides its answers, by streams that can be
 * gone on with, and the sources it talks with.
 */
@NullMarked
package gatebook.api.mcp.session;

import org.jspecify.annotations.NullMarked;
