package gatebook.events;

import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * The execution of a tree ended: nothing of it can start any more.
 *
 * @param status completed, failed or cancelled
 * @param blocked the tasks that cannot run, because one they require did not complete
 */
@Named(name = "TreeExecutionEnded", version = "1")
public record TreeExecutionEnded(
    UUID treeId,
    String owner,
    UUID executionId,
    TreeStatus status,
    List<String> blocked,
    Instant endedAt)
    implements TreeExecutionEvent {
  public TreeExecutionEnded {
    blocked = List.copyOf(blocked);
  }
}
