package gatebook.command.settle;

import gatebook.events.call.Told;
import gatebook.events.fault.Fault;

/** What the caller is given in the end. */
public sealed interface Settlement {

  /** The result, as it came. */
  record Answered() implements Settlement {}

  record Failed(Fault fault, Told told) implements Settlement {}
}
