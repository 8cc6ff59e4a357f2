/** What upstreams share of MCP: revisions, targets, subscriptions and tool lists. */
@NullMarked
package gatebook.api.upstream.mcp;

import org.jspecify.annotations.NullMarked;
