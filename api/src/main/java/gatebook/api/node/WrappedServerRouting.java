package gatebook.api.node;

import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.command.rules.Rules;

/** Routing of calls to the one server that a node wraps. */
public interface WrappedServerRouting {

  /** The handler of MCP methods for this server. */
  DialectHandler methods();

  /** The routing snapshot under these rules. */
  RoutingSnapshot snapshot(Rules rules);
}
