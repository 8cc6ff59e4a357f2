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
    Reached reached, List<String> taskIds, long total, Optional<CallTaskCursor> next) {
  public CallTaskPage {
    taskIds = List.copyOf(taskIds);
  }
}
