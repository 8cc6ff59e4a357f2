package gatebook.api.gateway.message;

import gatebook.events.fault.Fault;

/** The outcome of a call, as operators count it. */
public sealed interface CallOutcome {

  /** It ended with a result; {@code toolError} when the result reports a failure. */
  record Answered(boolean toolError) implements CallOutcome {}

  /** It ended with an error. */
  record Failed(Fault fault) implements CallOutcome {}

  /** Its caller cancelled its task. */
  record Cancelled() implements CallOutcome {}

  /** Its caller disconnected before it ended. */
  record Abandoned() implements CallOutcome {}
}
