package gatebook.command.call;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;

/** What the caller is given in the end. */
public sealed interface SettleOutcome {

  /** The result, as it came. */
  record Answered() implements SettleOutcome {}

  record Failed(Fault fault, ErrorResponse told) implements SettleOutcome {}
}
