package gatebook.api.node;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.command.rules.Rules;

/** The one upstream of a node that wraps a server and has no other sources. */
public interface WrappedUpstream {

  /** The handler of MCP methods for this server. */
  DialectHandler methods();

  /** The routing snapshot under these rules. */
  RoutingSnapshot snapshot(Rules rules);
}
