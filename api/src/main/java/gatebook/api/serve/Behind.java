package gatebook.api.serve;

import gatebook.api.border.Ground;
import gatebook.api.border.Methods;
import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.fault.Fault;
import java.util.function.BiFunction;

/** The one server behind a node that has no sources of its own. */
public interface Behind {

  /**
   * What the methods of MCP mean before it.
   *
   * @param foreignErrors makes a fault of the server's own error
   */
  Methods methods(BiFunction<Source, ForeignError, Fault> foreignErrors);

  /** What calls stand on under these rules. */
  Ground ground(Rules rules);
}
