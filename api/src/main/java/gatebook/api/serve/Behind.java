package gatebook.api.serve;

import gatebook.api.border.Ground;
import gatebook.api.border.Methods;
import gatebook.command.rules.Rules;

/** The one server behind a node that has no sources of its own. */
public interface Behind {

  /** What the methods of MCP mean before it. */
  Methods methods();

  /** What calls stand on under these rules. */
  Ground ground(Rules rules);
}
