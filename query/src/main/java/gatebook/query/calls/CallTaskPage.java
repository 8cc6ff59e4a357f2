package gatebook.query.calls;

import gatebook.query.projection.View.Reached;
import java.util.List;
import java.util.Optional;

/**
 * A page of tasks of calls, the latest state first.
 *
 * @param total the number of tasks on all pages
 * @param next the cursor of the next page; empty on the last page
 */
public record CallTaskPage(
    Reached reached, List<FoundTask> tasks, long total, Optional<CallTaskCursor> next) {
  public CallTaskPage {
    tasks = List.copyOf(tasks);
  }

  /**
   * A task on the page.
   *
   * @param cursor of a page that begins after the task
   */
  public record FoundTask(String taskId, CallTaskCursor cursor) {}

  public List<String> taskIds() {
    return tasks.stream().map(FoundTask::taskId).toList();
  }
}
