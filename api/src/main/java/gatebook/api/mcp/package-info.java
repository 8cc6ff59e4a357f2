/**
 * MCP: the targets of its methods, results merged from several sources, and its sessions over HTTP.
 */
@NullMarked
package gatebook.api.mcp;

import org.jspecify.annotations.NullMarked;
