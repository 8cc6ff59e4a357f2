package gatebook.api.flow;

/**
 * What became of one task that shall be cancelled, as existing clients are told.
 *
 * @param status cancelled, failed or error
 */
public record CancelAnswer(String taskId, String status, String message) {

  public static CancelAnswer cancelled(String taskId) {
    return new CancelAnswer(taskId, "cancelled", "Task %s was cancelled".formatted(taskId));
  }

  public static CancelAnswer ended(String taskId, String status) {
    return new CancelAnswer(
        taskId, "failed", "Task %s is already %s, cannot cancel".formatted(taskId, status));
  }

  public static CancelAnswer notFound(String taskId) {
    return new CancelAnswer(taskId, "error", "Task %s not found".formatted(taskId));
  }
}
