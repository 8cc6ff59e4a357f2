package gatebook.api.node;

import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.command.rules.Rules;

/** The one server behind a node that has no sources of its own. */
public interface WrappedUpstream {

  /** What the methods of MCP mean before it. */
  DialectHandler methods();

  /** What calls stand on under these rules. */
  RoutingSnapshot ground(Rules rules);
}
