package gatebook.api.flow;

import gatebook.command.tree.ReadTask;
import gatebook.events.tree.TreeStatus;

/**
 * The answer about one task to be cancelled, in the shape of existing clients.
 *
 * @param status cancelled, failed or error
 * @param taskStatus that of the task, which the protocol's clients are told when it is cancelled
 */
public record CancelAnswer(String taskId, String status, String taskStatus, String message) {
  private static final String CANCELLED = TreeStatus.CANCELLED.word();

  public static CancelAnswer cancelled(String taskId) {
    return new CancelAnswer(
        taskId, CANCELLED, CANCELLED, "Task %s was cancelled".formatted(taskId));
  }

  /** The task had ended; tasks below it were cancelled. */
  public static CancelAnswer below(ReadTask task, int count) {
    String status = task.task().status().word();
    return new CancelAnswer(
        task.id(),
        CANCELLED,
        status,
        "Task %s is already %s, cancelled %d below it".formatted(task.id(), status, count));
  }

  public static CancelAnswer ended(String taskId, String status) {
    return new CancelAnswer(
        taskId, "failed", status, "Task %s is already %s, cannot cancel".formatted(taskId, status));
  }

  public static CancelAnswer notFound(String taskId) {
    return new CancelAnswer(taskId, "error", "not_found", "Task %s not found".formatted(taskId));
  }
}
