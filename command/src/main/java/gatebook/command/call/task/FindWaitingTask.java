package gatebook.command.call.task;

import gatebook.command.call.CallQuery;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Finds the task of a call that waits for an approval, to continue it for a dead process. */
public record FindWaitingTask(UUID callId, String rulesHash) implements CallQuery {

  /** What was found. */
  public sealed interface Result {

    /** {@code params} are as they were sent; absent where there were none. */
    record Found(WaitingTask waitingTask, @Nullable String params) implements Result {}

    /** The recorded params cannot be read any more. */
    record Unreadable(WaitingTask waitingTask) implements Result {}

    /** No task waits. */
    record None() implements Result {}
  }

  /** The recorded events of a waiting task. */
  public record WaitingTask(
      CallReceived received, ApprovalRequested approvalRequest, TaskCreated task) {}
}
