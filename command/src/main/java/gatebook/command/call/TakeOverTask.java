package gatebook.command.call;

import gatebook.command.rules.Rules;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Take over a task that waits for a person, from a process that is no more. */
public record TakeOverTask(UUID callId, Rules rules) {

  /** What taking over ends in. */
  public sealed interface Outcome {

    /** {@code params} are as they were sent; absent where there were none. */
    record Taken(Left left, @Nullable String params) implements Outcome {}

    /** What was sent cannot be read any more. */
    record Unreadable(Left left) implements Outcome {}

    /** There is nothing that waits. */
    record Nothing() implements Outcome {}
  }

  /** What is recorded of such a task. */
  public record Left(CallReceived received, ApprovalRequested question, TaskCreated task) {}
}
