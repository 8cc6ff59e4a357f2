package gatebook.command.tree.execution;

import gatebook.command.call.Decision;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ExecutorNames;
import gatebook.command.tree.IdListSize;
import gatebook.command.tree.TreeOutcome;
import gatebook.command.tree.TreeTask;
import gatebook.command.tree.TreeTasks;
import gatebook.events.Event;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskReopened;
import gatebook.events.fault.TaskFault;
import gatebook.events.tree.TaskDependency;
import gatebook.events.tree.TreeStatus;
import gatebook.events.tree.TreeWebhook;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides when the execution of a tree of tasks starts and when it ends. */
public final class ExecutionDecider {

  /** So many ids of any length fit into one event; the others follow from the tree. */
  public static final int BLOCKED_MAX = 500;

  private final StartExecution command;
  private final TreeTasks tasks;
  private final TreeTask named;
  private final List<TreeTask> scope;
  private final @Nullable TreeWebhook webhook;
  private final Rules rules;

  /** The ids of tasks that are pending again, each with that of the failed task that causes it. */
  private final Map<String, String> reopened = new LinkedHashMap<>();

  private ExecutionDecider(
      StartExecution command,
      @Nullable TreeWebhook webhook,
      TreeTasks tasks,
      TreeTask named,
      Rules rules) {
    this.command = command;
    this.tasks = tasks;
    this.named = named;
    this.scope = tasks.scope(named);
    this.webhook = webhook;
    this.rules = rules;
    reopenFailed();
    if (command.cascade()) {
      reopenDependents();
    }
  }

  /**
   * Decides whether an execution starts.
   *
   * @param webhook what is recorded of that of the command
   */
  public static Decision<TreeOutcome> decide(
      StartExecution command, @Nullable TreeWebhook webhook, TreeTasks tasks, Rules rules) {
    return tasks
        .task(command.taskId())
        .map(named -> new ExecutionDecider(command, webhook, tasks, named, rules).start())
        .orElseGet(() -> TreeOutcome.refused(new TaskFault.TaskNotFound(command.taskId())));
  }

  /** Whether it was taken over: not when it ended, or another process was faster. */
  public static Decision<Boolean> decide(
      TakeOverExecution command, @Nullable TreeExecutionStarted execution) {
    return execution == null || !execution.startedAt().equals(command.startedAt())
        ? new Decision<>(List.of(), false)
        : new Decision<>(
            List.of(
                new TreeExecutionStarted(
                    command.treeId(),
                    execution.owner(),
                    command.executionId(),
                    execution.taskId(),
                    execution.callId(),
                    true,
                    command.at(),
                    execution.webhook(),
                    execution.correlation())),
            true);
  }

  /**
   * Whether it has ended. Nothing is recorded when it had ended before.
   *
   * @param changed whether the owner made a change that the execution does not know
   */
  public static Decision<Boolean> decide(
      EndExecution command, @Nullable TreeExecutionStarted execution, boolean changed) {
    return execution == null || changed
        ? new Decision<>(List.of(), execution == null)
        : new Decision<>(
            List.of(
                new TreeExecutionEnded(
                    command.treeId(),
                    execution.owner(),
                    command.executionId(),
                    command.status(),
                    command.blocked().stream().limit(BLOCKED_MAX).toList(),
                    command.at())),
            true);
  }

  private void reopenFailed() {
    scope.stream()
        .filter(task -> task.status() == TreeStatus.FAILED)
        .map(TreeTask::id)
        .forEach(id -> reopened.put(id, id));
  }

  private void reopenDependents() {
    Map<String, List<TreeTask>> dependents = dependents();
    Deque<String> toVisit = new ArrayDeque<>(reopened.keySet());
    while (!toVisit.isEmpty()) {
      String id = toVisit.removeFirst();
      dependents.getOrDefault(id, List.of()).stream()
          .filter(dependent -> dependent.status().isTerminal() && !dependent.origin().isLink())
          .map(TreeTask::id)
          .filter(dependent -> reopened.putIfAbsent(dependent, id) == null)
          .forEach(toVisit::add);
    }
  }

  private Map<String, List<TreeTask>> dependents() {
    Map<String, List<TreeTask>> dependents = new HashMap<>();
    for (TreeTask task : tasks.all()) {
      for (TaskDependency dependency : task.content().dependencies()) {
        dependents.computeIfAbsent(dependency.id(), _ -> new ArrayList<>()).add(task);
      }
    }
    return dependents;
  }

  private Decision<TreeOutcome> start() {
    List<TaskFault> faults = running(scope);
    if (faults.isEmpty()) {
      faults = ended();
    }
    if (faults.isEmpty() && tasks.execution() != null) {
      return otherExecution(new TaskFault.TaskAlreadyExecuting(command.taskId()));
    }
    if (faults.isEmpty()) {
      faults = unsatisfied();
    }
    if (faults.isEmpty()) {
      faults = ExecutorNames.faults(executors(), rules, command.listedTools());
    }
    return faults.isEmpty() ? TreeOutcome.done(events()) : TreeOutcome.refused(faults);
  }

  private static List<TaskFault> running(Collection<TreeTask> among) {
    return among.stream()
        .filter(task -> task.status() == TreeStatus.IN_PROGRESS)
        .<TaskFault>map(task -> new TaskFault.TaskAlreadyExecuting(task.id()))
        .toList();
  }

  private Decision<TreeOutcome> otherExecution(TaskFault fault) {
    return running(tasks.all()).isEmpty()
        ? new Decision<>(List.of(), new TreeOutcome.BetweenTasks(fault))
        : TreeOutcome.refused(fault);
  }

  /**
   * The named task ended; one that failed is always pending again. With cascade, a root that ended
   * is executed for what is left to do below it. An archive never is pending again.
   */
  private List<TaskFault> ended() {
    List<TaskFault> archived =
        reopened.keySet().stream()
            .flatMap(id -> tasks.task(id).stream())
            .filter(task -> task.origin().archived())
            .map(ExecutionDecider::notExecuted)
            .toList();
    return hasEnded() && !isLeftToDo() ? List.of(notExecuted(named)) : archived;
  }

  private boolean hasEnded() {
    return named.status().isTerminal() && !isReopened(named.id());
  }

  /** Whether others of the scope are yet to run, or to run again, and the cascade reaches them. */
  private boolean isLeftToDo() {
    return command.cascade()
        && !named.origin().isLink()
        && !named.origin().archived()
        && (!reopened.isEmpty()
            || scope.stream().anyMatch(task -> task.status() == TreeStatus.PENDING));
  }

  private static TaskFault notExecuted(TreeTask task) {
    String reason =
        task.origin().archived()
            ? "An archive cannot be executed"
            : task.origin().isLink()
                ? "A link cannot be executed"
                : "Cannot transition from terminal state";
    return new TaskFault.InvalidStateTransition(
        task.id(), task.status().word(), TreeStatus.IN_PROGRESS.word(), reason);
  }

  private List<TaskFault> unsatisfied() {
    if (hasEnded()) {
      return List.of();
    }
    List<String> waitsFor =
        named.content().dependencies().stream()
            .filter(TaskDependency::required)
            .map(TaskDependency::id)
            .filter(id -> isCancelled(id) && !isReopened(id))
            .toList();
    return waitsFor.isEmpty()
        ? List.of()
        : List.of(
            new TaskFault.DependencyNotSatisfied(command.taskId(), IdListSize.limited(waitsFor)));
  }

  /** The executors of the tasks that are to run. */
  private List<String> executors() {
    return ExecutorNames.tools(
        Stream.concat(
                scope.stream().filter(task -> task.status() == TreeStatus.PENDING),
                reopened.keySet().stream().flatMap(id -> tasks.task(id).stream()))
            .map(task -> task.content().executor()));
  }

  private boolean isCancelled(String id) {
    return tasks.task(id).stream().anyMatch(task -> task.status() == TreeStatus.CANCELLED);
  }

  private boolean isReopened(String id) {
    return reopened.containsKey(id);
  }

  private List<Event> events() {
    List<Event> events = new ArrayList<>();
    Set<Map.Entry<String, String>> causes = reopened.entrySet();
    causes.forEach(cause -> events.add(reopened(cause.getKey(), cause.getValue())));
    events.add(
        new TreeExecutionStarted(
            command.treeId(),
            command.owner(),
            command.executionId(),
            command.taskId(),
            command.callId(),
            false,
            command.at(),
            webhook,
            command.correlation()));
    return events;
  }

  private TreeTaskReopened reopened(String id, String cause) {
    return new TreeTaskReopened(
        command.treeId(),
        id,
        command.owner(),
        cause.equals(id) ? null : cause,
        command.callId(),
        command.at());
  }
}
