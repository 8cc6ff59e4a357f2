package gatebook.command.call;

import gatebook.events.ApprovalRequested;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Takes over a task that waits for an approval from a dead process. */
public record TakeOverTask(UUID callId, String rulesHash) implements CallCommand {

  /** The outcome of the command. */
  public sealed interface Outcome {

    /** {@code params} are as they were sent; absent where there were none. */
    record TakenOver(WaitingTask waitingTask, @Nullable String params) implements Outcome {}

    /** The recorded params cannot be read any more. */
    record Unreadable(WaitingTask waitingTask) implements Outcome {}

    /** No task waits. */
    record Nothing() implements Outcome {}
  }

  /** The recorded events of a waiting task. */
  public record WaitingTask(
      CallReceived received, ApprovalRequested approvalRequest, TaskCreated task) {}
}
