package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;

/** A recorded fact about an execution of a tree. */
sealed interface ExecutionFact {

  record TaskStarted(String taskId, Instant at) implements ExecutionFact {}

  /** The task's call waits for an approval. */
  record TaskHeld(String taskId, Instant at) implements ExecutionFact {}

  /**
   * An attempt of the task failed, and another one follows.
   *
   * @param startsAt when that begins
   */
  record TaskRetried(String taskId, Instant startsAt, Instant at) implements ExecutionFact {}

  /** The task is completed, failed or cancelled. */
  record TaskEnded(ReadTask task) implements ExecutionFact {}

  /**
   * Nothing more can start; the last fact.
   *
   * @param blocked the tasks that cannot run
   */
  record ExecutionEnded(TreeStatus status, List<String> blocked, Instant at)
      implements ExecutionFact {
    public ExecutionEnded {
      blocked = List.copyOf(blocked);
    }
  }
}
