package gatebook.command.call;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;

/** The outcome of settling a call: what the caller receives. */
public sealed interface SettleOutcome {

  /** The result, unchanged. */
  record Answered() implements SettleOutcome {}

  record Failed(Fault fault, ErrorResponse errorResponse) implements SettleOutcome {}
}
