package gatebook.api.flow.task;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A recorded fact about an execution of a tree. */
public sealed interface ExecutionFact {

  /** The type of the message about it, in streams and webhooks alike. */
  default String type() {
    return switch (this) {
      case TaskStarted _ -> "task_start";
      case TaskHeld _ -> "progress";
      case TaskRetried _ -> "task_retry";
      case TaskEnded(var read) -> "task_" + read.task().status().word();
      case ExecutionEnded _ -> "final";
    };
  }

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
  record TaskEnded(ReadTask task) implements ExecutionFact {

    public TreeStatus status() {
      return task.task().status();
    }

    public Instant at() {
      return task.task().updatedAt();
    }

    /** The JSON of the result; absent unless the task is completed. */
    public @Nullable String result() {
      return status() == TreeStatus.COMPLETED ? task.result() : null;
    }

    /** Absent unless the task failed or was cancelled. */
    public @Nullable String error() {
      return FlowTaskJson.error(task.task());
    }
  }

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
