package gatebook.command.approve;

import gatebook.command.course.CallSoFar.End;
import gatebook.command.course.CallSoFar.Standing;
import java.time.Instant;
import java.util.UUID;

/** Close a question that nobody decided in time. */
public record TimeOutApproval(UUID callId, Instant at) {

  /** What it ends in. */
  public sealed interface Outcome {
    /** The question is closed, now or since before; {@code standing} says how. */
    record Closed(Standing standing) implements Outcome {}

    record NotYet(Instant due) implements Outcome {}

    record NoSuchApproval() implements Outcome {}

    /** The call ended while somebody was being asked. */
    record CallerGone(End end) implements Outcome {}
  }
}
