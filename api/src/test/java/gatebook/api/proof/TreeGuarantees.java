package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.TreeWebhookEvent;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Checks the guarantees about running trees against the stored events. */
final class TreeGuarantees {
  private static final String INTERRUPTED = "Interrupted by a restart";

  private final Map<UUID, StoredTree> trees = new HashMap<>();
  private final Map<String, StoredTask> tasks = new HashMap<>();
  private final List<String> violations = new ArrayList<>();

  private static final class StoredTree {
    private final List<StoredTask> tasks = new ArrayList<>();
    private @Nullable UUID execution;
  }

  private static final class StoredTask {
    private final List<TreeTaskEvent> events = new ArrayList<>();
    private TreeStatus status = TreeStatus.PENDING;
    private int attempts;

    /** Whether a process died while the task ran. */
    private boolean interrupted;

    private boolean hasCall;

    private List<TaskDependency> dependencies = List.of();
  }

  /** Reads the events of all trees, in the order of the journal. */
  static TreeGuarantees of(StoredEvents stored) {
    TreeGuarantees guarantees = new TreeGuarantees();
    stored.ofType(TreeEvent.class).forEach(guarantees::read);
    return guarantees;
  }

  private void read(TreeEvent event) {
    StoredTree tree = trees.computeIfAbsent(event.treeId(), _ -> new StoredTree());
    switch (event) {
      case TreeExecutionStarted started -> begin(tree, started);
      case TreeExecutionEnded ended -> end(tree, ended);
      case TreeTaskEvent task -> read(tree, task);
      case TreeWebhookEvent _ -> {
        // no task waits for a webhook
      }
    }
  }

  private void begin(StoredTree tree, TreeExecutionStarted started) {
    require(
        started.takenOver() ? started.executionId().equals(tree.execution) : tree.execution == null,
        "an execution starts when none runs, and is taken over when it runs",
        started);
    tree.execution = started.executionId();
    tree.tasks.stream()
        .filter(task -> task.status == TreeStatus.IN_PROGRESS)
        .forEach(task -> task.interrupted = true);
  }

  private void end(StoredTree tree, TreeExecutionEnded ended) {
    require(ended.executionId().equals(tree.execution), "an execution that runs ends", ended);
    require(
        tree.tasks.stream().noneMatch(task -> task.status == TreeStatus.IN_PROGRESS),
        "an execution ends when no task of it runs",
        ended);
    require(
        tree.tasks.stream()
            .filter(task -> task.status == TreeStatus.PENDING)
            .noneMatch(this::mayStart),
        "an execution ends when no task can start",
        ended);
    tree.execution = null;
  }

  private void read(StoredTree tree, TreeTaskEvent event) {
    StoredTask task = tasks.computeIfAbsent(event.taskId(), _ -> new StoredTask());
    task.events.add(event);
    task.status =
        switch (event) {
          case TreeTaskCreated created -> {
            tree.tasks.add(task);
            task.dependencies = created.content().dependencies();
            yield TreeStatus.PENDING;
          }
          case TreeTaskStarted started -> begin(tree, task, started);
          case TreeTaskCompleted completed -> {
            settle(task, completed.attempt(), completed);
            require(
                !task.interrupted || !task.hasCall,
                "a task fails when its call was interrupted",
                task.events);
            task.interrupted = false;
            yield TreeStatus.COMPLETED;
          }
          case TreeTaskRetried retried -> {
            settle(task, retried.attempt() - 1, retried);
            require(
                task.interrupted && retried.error().equals(INTERRUPTED),
                "a task is retried after it was interrupted",
                task.events);
            task.attempts = retried.attempt();
            task.interrupted = false;
            yield TreeStatus.IN_PROGRESS;
          }
          case TreeTaskFailed failed -> {
            settle(task, failed.attempt(), failed);
            require(
                task.interrupted == failed.error().equals(INTERRUPTED),
                "only a task that was interrupted says so",
                task.events);
            task.interrupted = false;
            yield TreeStatus.FAILED;
          }
          case TreeTaskCancelled _ -> {
            require(!task.status.isTerminal(), "a task that has ended stays", task.events);
            task.interrupted = false;
            yield TreeStatus.CANCELLED;
          }
          case TreeTaskReopened _ -> {
            require(task.status == TreeStatus.FAILED, "only a failed task reopens", task.events);
            yield TreeStatus.PENDING;
          }
          case TreeTaskUpdated _,
              TreeTaskDeleted _,
              TreeTaskLinked _,
              TreeTaskReferenced _,
              TreeTaskArchived _ ->
              throw new AssertionError("nobody changes tasks here: " + event);
        };
  }

  private TreeStatus begin(StoredTree tree, StoredTask task, TreeTaskStarted started) {
    require(task.status == TreeStatus.PENDING, "a pending task starts", task.events);
    require(mayStart(task), "a task starts after what it depends on", task.events);
    require(started.executionId().equals(tree.execution), "its execution runs", task.events);
    require(started.attempt() == ++task.attempts, "attempts are counted", task.events);
    task.hasCall = started.callId() != null;
    return TreeStatus.IN_PROGRESS;
  }

  /** Whether everything that a task requires is completed, and all else it depends on has ended. */
  private boolean mayStart(StoredTask task) {
    return task.dependencies.stream()
        .allMatch(dependency -> {
          StoredTask other = tasks.get(dependency.id());
          return other != null
              && (dependency.required()
                  ? other.status == TreeStatus.COMPLETED
                  : other.status.isTerminal());
        });
  }

  private void settle(StoredTask task, int attempt, TreeTaskEvent event) {
    require(
        task.status == TreeStatus.IN_PROGRESS && task.attempts == attempt,
        "a task that runs ends once",
        List.of(event, task.events));
  }

  private void require(boolean holds, String guarantee, Object evidence) {
    if (!holds) {
      violations.add(guarantee + ": " + evidence);
    }
  }

  /** Checks that each task went from status to status as it may. */
  void checkTransitions() {
    assertThat(violations).isEmpty();
  }

  /** The trees with an execution that has not ended. */
  Set<UUID> open() {
    Set<UUID> open = new HashSet<>();
    trees.forEach((id, tree) -> {
      if (tree.execution != null) {
        open.add(id);
      }
    });
    return open;
  }

  /** Checks that these trees run no more, nor any of their tasks. */
  void checkEnded(Set<UUID> treeIds) {
    assertThat(open()).as("executions that have not ended").noneMatch(treeIds::contains);
    trees.forEach((id, tree) -> {
      if (treeIds.contains(id)) {
        assertThat(tree.tasks)
            .as("the tasks of %s", id)
            .noneMatch(task -> task.status == TreeStatus.IN_PROGRESS);
      }
    });
  }

  Set<UUID> all() {
    return trees.keySet();
  }

  /**
   * Checks that a task arrives upstream once for each time it was started, at most. A task that is
   * retried after an interruption has not arrived before.
   */
  void checkArrivals(Map<String, Integer> arrivals) {
    arrivals.forEach((id, times) ->
        assertThat(times)
            .as("arrivals of %s, which was stored as %s", id, events(id))
            .isLessThanOrEqualTo(
                (int) events(id).stream().filter(TreeTaskStarted.class::isInstance).count()));
  }

  /** Checks that a task runs again after an interruption only if its call was not forwarded. */
  void checkRetries(Set<UUID> forwardedCalls) {
    tasks.values().stream()
        .flatMap(task -> task.events.stream())
        .filter(TreeTaskRetried.class::isInstance)
        .map(TreeTaskRetried.class::cast)
        .forEach(retried ->
            assertThat(forwardedCalls)
                .as("the forwarded calls, and %s", retried)
                .doesNotContain(retried.failedCallId()));
  }

  /** Checks that these tasks, which a caller was told to be completed, were and stay so. */
  void checkCompleted(Set<String> ids) {
    ids.forEach(id ->
        assertThat(events(id).getLast())
            .as("the last event of a task that was told to be completed")
            .isInstanceOf(TreeTaskCompleted.class));
  }

  /** The number of tasks whose last event is of this kind. */
  long count(Class<? extends TreeTaskEvent> kind) {
    return tasks.values().stream().filter(task -> kind.isInstance(task.events.getLast())).count();
  }

  /** The number of times that a task was interrupted. */
  long interruptions() {
    return tasks.values().stream()
        .flatMap(task -> task.events.stream())
        .filter(
            event -> event instanceof TreeTaskFailed failed && failed.error().equals(INTERRUPTED))
        .count();
  }

  private List<TreeTaskEvent> events(String taskId) {
    StoredTask task = tasks.get(taskId);
    return task == null ? List.of() : task.events;
  }
}
