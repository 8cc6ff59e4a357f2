package gatebook.events.kept;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The trees of tasks of a range of events that stay: those that did not begin in it, those of which
 * a task, an execution or a webhook is open, those to which a link shows, and those that go on
 * after it. A tree stays or goes as a whole.
 */
final class KeptTrees {
  private final Map<UUID, Tree> seen = new HashMap<>();

  private static final class Tree {
    private final Set<String> openTasks = new HashSet<>();
    private final Set<UUID> openExecutions = new HashSet<>();
    private final Set<UUID> openWebhooks = new HashSet<>();
    private boolean begun;

    /** Kept for what else depends on it, such as a link. */
    private boolean linked;

    void apply(TreeEvent event) {
      switch (event) {
        case TreeTaskCreated created -> {
          begun |= created.parentId() == null;
          openTasks.add(created.taskId());
        }
        case TreeTaskStarted started -> openTasks.add(started.taskId());
        case TreeTaskRetried retried -> openTasks.add(retried.taskId());
        case TreeTaskReopened reopened -> openTasks.add(reopened.taskId());
        case TreeTaskCompleted completed -> openTasks.remove(completed.taskId());
        case TreeTaskFailed failed -> openTasks.remove(failed.taskId());
        case TreeTaskCancelled cancelled -> openTasks.remove(cancelled.taskId());
        case TreeTaskLinked link -> openTasks.remove(link.taskId());
        case TreeTaskDeleted deleted -> openTasks.remove(deleted.taskId());
        case TreeTaskReferenced referenced -> linked |= referenced.linked();
        case TreeTaskUpdated _, TreeTaskArchived _, TreeWebhookTakenOver _ -> {
          // a task, or a webhook, stays as open as it was
        }
        case TreeExecutionStarted started -> {
          openExecutions.add(started.executionId());
          if (started.webhook() != null) {
            openWebhooks.add(started.executionId());
          }
        }
        case TreeExecutionEnded ended -> openExecutions.remove(ended.executionId());
        case TreeWebhookDelivered delivered -> settle(delivered.executionId(), delivered.last());
        case TreeWebhookFailed failed ->
            settle(failed.executionId(), failed.last() && failed.givenUp());
      }
    }

    private void settle(UUID execution, boolean isSettled) {
      if (isSettled) {
        openWebhooks.remove(execution);
      }
    }

    boolean isOver() {
      return begun
          && !linked
          && openTasks.isEmpty()
          && openExecutions.isEmpty()
          && openWebhooks.isEmpty();
    }
  }

  /** Adds the next event of the range. */
  void add(TreeEvent event) {
    seen.computeIfAbsent(event.treeId(), _ -> new Tree()).apply(event);
  }

  /** Keeps a tree for another reason. */
  void keep(UUID tree) {
    seen.computeIfAbsent(tree, _ -> new Tree()).linked = true;
  }

  /**
   * The trees that stay.
   *
   * @param goesOn whether a tree has events before or after the range
   */
  Set<UUID> find(Predicate<UUID> goesOn) {
    Set<UUID> kept = new HashSet<>();
    seen.forEach((id, tree) -> {
      if (!tree.isOver() || goesOn.test(id)) {
        kept.add(id);
      }
    });
    return kept;
  }
}
