package gatebook.query.trees;

import gatebook.events.tree.TreeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A view of a tree for operators.
 *
 * @param rootTaskId absent once the root is deleted
 * @param name that of the root task
 * @param status pending before the first execution, in progress during one, and how the last one
 *     ended
 * @param counts the number of tasks of each status
 * @param startedAt when the last execution started; absent before the first one
 * @param endedAt when the last execution ended; absent while there is one
 * @param execution the execution that runs; absent when none does
 * @param webhook that of the last execution; absent when it has none
 * @param contentPlaces where the name and the texts of the webhook are, which the view does not
 *     hold
 * @param tasks in the order of their creation, deleted ones too; empty in lists of trees
 */
public record TreeView(
    UUID treeId,
    String owner,
    @Nullable String rootTaskId,
    @Nullable String name,
    TreeStatus status,
    Map<TreeStatus, Integer> counts,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    Instant lastEventAt,
    @Nullable OpenExecution execution,
    @Nullable WebhookView webhook,
    TreeContentPlaces contentPlaces,
    List<TreeTaskView> tasks) {

  public TreeView {
    counts = Map.copyOf(counts);
    tasks = List.copyOf(tasks);
  }

  /** The same tree with its content. */
  TreeView withContent(@Nullable String newName, @Nullable WebhookView newWebhook) {
    return new TreeView(
        treeId,
        owner,
        rootTaskId,
        newName,
        status,
        counts,
        createdAt,
        startedAt,
        endedAt,
        lastEventAt,
        execution,
        newWebhook,
        contentPlaces,
        tasks);
  }

  /** The number of tasks that were not deleted. */
  public int taskCount() {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The duration of the last execution; empty while it runs, and before the first one. */
  public Optional<Duration> duration() {
    return startedAt == null || endedAt == null
        ? Optional.empty()
        : Optional.of(Duration.between(startedAt, endedAt));
  }
}
