package gatebook.command.call;

import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;

/** How a call ended, which is the last state of its task if it is one. */
public sealed interface CallOutcome extends TaskState {

  /**
   * It ended with a result.
   *
   * @param toolError whether the result reports a failure
   * @param result as the source sent it
   */
  record Answered(boolean toolError, String result) implements CallOutcome {}

  /** It ended with an error: {@code errorResponse} is what a waiting caller receives. */
  record Failed(Fault fault, ErrorResponse errorResponse) implements CallOutcome {}

  /** Its caller cancelled its task. */
  record Cancelled() implements CallOutcome {}

  /** Its caller disconnected before it ended. */
  record Abandoned() implements CallOutcome {}
}
