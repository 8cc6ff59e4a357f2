package gatebook.command.tree;

import gatebook.command.call.Decision;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Rules;
import gatebook.command.tree.ChangeTree.Change;
import gatebook.command.tree.TaskOrigin.Original;
import gatebook.events.Event;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault;
import gatebook.events.fault.TaskFault.InvalidStateTransition;
import gatebook.events.fault.TaskFault.Obstacle;
import gatebook.events.fault.TaskFault.TreeDefect;
import gatebook.events.keys.ContentOwner;
import gatebook.events.tree.TaskContent;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides commands about the shape of a tree of tasks. */
public final class TreeDecider {
  private final PayloadRecorders payloadRecorders;
  private final Supplier<Scrubber> scrubber;

  /**
   * @param scrubber takes secrets out of what operators see
   */
  public TreeDecider(PayloadRecorders payloadRecorders, Supplier<Scrubber> scrubber) {
    this.payloadRecorders = payloadRecorders;
    this.scrubber = scrubber;
  }

  /** Nothing is created unless everything is right. */
  public Decision<TreeOutcome> decide(CreateTree command, TakenTaskIds takenIds, Rules rules) {
    List<TaskFault> faults =
        newTaskFaults(command.drafts(), new TreeTasks(), takenIds, command.listedTools(), rules);
    return faults.isEmpty()
        ? unlessTooLarge(
            created(
                command.treeId(),
                command.owner(),
                command.drafts(),
                command.callId(),
                command.at(),
                rules))
        : TreeOutcome.refused(faults);
  }

  private static List<TaskFault> newTaskFaults(
      List<TaskDraft> drafts,
      TreeTasks shape,
      TakenTaskIds takenIds,
      ListedTools listedTools,
      Rules rules) {
    List<TaskFault> faults = takenIds(drafts, takenIds);
    if (faults.isEmpty()) {
      faults = TreeStructure.faults(shape, drafts, rules.limits());
    }
    return faults.isEmpty()
        ? ExecutorNames.faults(ExecutorNames.of(drafts), rules, listedTools)
        : faults;
  }

  private static List<TaskFault> takenIds(List<TaskDraft> drafts, TakenTaskIds takenIds) {
    Set<String> seen = new HashSet<>();
    return drafts.stream()
        .map(TaskDraft::id)
        .filter(id -> takenIds.contains(id) || !seen.add(id))
        .<TaskFault>map(TreeDecider::idTaken)
        .toList();
  }

  private static TaskFault idTaken(String id) {
    return new TaskFault.InvalidTaskSchema(
        id, List.of(new Problem("id", "there is a task with this id", null, null, List.of())));
  }

  private List<TreeTaskCreated> created(
      UUID treeId, String owner, List<TaskDraft> drafts, UUID callId, Instant at, Rules rules) {
    PayloadRecorder recorder = payloadRecorders.of(rules, ContentOwner.at(owner, at));
    return drafts.stream()
        .map(draft ->
            new TreeTaskCreated(
                treeId, draft.id(), owner, draft.parentId(), content(draft, recorder), callId, at))
        .toList();
  }

  /** Records the events, unless one that creates a task would be too large. */
  private static Decision<TreeOutcome> unlessTooLarge(List<? extends Event> events) {
    List<TaskFault> faults =
        events.stream()
            .filter(TreeTaskCreated.class::isInstance)
            .map(TreeTaskCreated.class::cast)
            .flatMap(task -> TaskContentSize.fault(task.taskId(), task.content()).stream())
            .toList();
    return faults.isEmpty() ? TreeOutcome.done(events) : TreeOutcome.refused(faults);
  }

  /** Nothing is copied or linked unless everything is right. */
  public Decision<TreeOutcome> decide(
      CopyTasks command, TreeTasks sources, TakenTaskIds takenIds, Rules rules) {
    List<TaskFault> faults =
        CopySources.faults(command.copies(), command.requiresWhole(), sources.all());
    if (faults.isEmpty()) {
      faults =
          newTaskFaults(command.drafts(), new TreeTasks(), takenIds, command.listedTools(), rules);
    }
    return faults.isEmpty()
        ? unlessTooLarge(copied(command, sources, rules))
        : TreeOutcome.refused(faults);
  }

  private List<Event> copied(CopyTasks command, TreeTasks sources, Rules rules) {
    List<Event> events =
        new ArrayList<>(
            created(
                command.newTreeId(),
                command.owner(),
                command.drafts(),
                command.callId(),
                command.at(),
                rules));
    for (TaskCopy copy : command.copies()) {
      TreeTask source = sources.task(copy.sourceId()).orElseThrow();
      if (copy.isLink()) {
        events.add(linked(command, copy, source.linkTarget()));
      }
      if (!source.origin().referenced() || (copy.isLink() && !source.origin().linked())) {
        events.add(referenced(command, copy));
      }
    }
    return events;
  }

  private static TreeTaskLinked linked(CopyTasks command, TaskCopy copy, Original original) {
    return new TreeTaskLinked(
        command.newTreeId(),
        copy.draft().id(),
        command.owner(),
        original.treeId(),
        original.taskId(),
        command.callId(),
        command.at());
  }

  private static TreeTaskReferenced referenced(CopyTasks command, TaskCopy copy) {
    return new TreeTaskReferenced(
        command.treeId(),
        copy.sourceId(),
        command.owner(),
        copy.isLink(),
        command.callId(),
        command.at());
  }

  private TaskContent content(TaskDraft draft, PayloadRecorder recorder) {
    return new TaskContent(
        scrubber.get().scrub(draft.name()),
        scrubbed(draft.executor()),
        draft.priority(),
        draft.dependencies(),
        draft.inputs() == null ? null : recorder.keep(draft.inputs()),
        draft.definition());
  }

  private @Nullable String scrubbed(@Nullable String text) {
    return text == null ? null : scrubber.get().scrub(text);
  }

  /**
   * Decides a change of the shape. While a task is pending, none of its dependents runs, so these
   * need no check.
   *
   * @param shape the tasks with their parents and dependencies, whatever their status
   * @param changed the task that is updated or deleted
   */
  public Decision<TreeOutcome> decide(
      ChangeTree command,
      TreeTasks shape,
      @Nullable TreeTask changed,
      TakenTaskIds takenIds,
      Rules rules) {
    return switch (command.change()) {
      case Change.AddTasks(var drafts) -> add(command, drafts, shape, takenIds, rules);
      case Change.UpdateTask(var draft) ->
          changed == null || isNotIn(shape, changed)
              ? TreeOutcome.refused(new TaskFault.TaskNotFound(draft.id()))
              : update(command, draft, shape, changed, rules);
      case Change.DeleteTask(var taskId) ->
          changed == null || isNotIn(shape, changed)
              ? TreeOutcome.refused(new TaskFault.TaskNotFound(taskId))
              : delete(command, shape, changed);
    };
  }

  /** The owner may have it in another tree. */
  private static boolean isNotIn(TreeTasks shape, TreeTask changed) {
    return shape.task(changed.id()).isEmpty();
  }

  private Decision<TreeOutcome> add(
      ChangeTree command,
      List<TaskDraft> drafts,
      TreeTasks shape,
      TakenTaskIds takenIds,
      Rules rules) {
    List<TaskFault> faults = newTaskFaults(drafts, shape, takenIds, command.listedTools(), rules);
    if (faults.isEmpty() && shape.isEmpty()) {
      faults = List.of(new TaskFault.TaskTreeInvalid(TreeDefect.NO_ROOT, null));
    }
    if (faults.isEmpty()) {
      faults = archivedParents(drafts, shape);
    }
    return faults.isEmpty()
        ? unlessTooLarge(
            created(
                command.treeId(), command.owner(), drafts, command.callId(), command.at(), rules))
        : TreeOutcome.refused(faults);
  }

  private static List<TaskFault> archivedParents(List<TaskDraft> drafts, TreeTasks tasks) {
    List<TaskFault> faults = new ArrayList<>();
    for (TaskDraft draft : drafts) {
      String parentId = draft.parentId();
      if (parentId != null && isArchived(parentId, tasks)) {
        faults.add(new TaskFault.InvalidParentReference(draft.id(), parentId, TaskOrigin.ARCHIVED));
      }
    }
    return faults;
  }

  private static boolean isArchived(String id, TreeTasks tasks) {
    return tasks.task(id).filter(task -> task.origin().archived()).isPresent();
  }

  private Decision<TreeOutcome> update(
      ChangeTree command, TaskDraft draft, TreeTasks shape, TreeTask changed, Rules rules) {
    if (changed.origin().archived()) {
      return TreeOutcome.refused(
          notChanged(changed, InvalidStateTransition.UPDATE, TaskOrigin.ARCHIVED));
    }
    if (changed.status() != TreeStatus.PENDING) {
      return TreeOutcome.refused(
          notChanged(changed, InvalidStateTransition.UPDATE, "Only a pending task can be updated"));
    }
    List<TaskFault> faults = TreeStructure.dependencyFaults(shape, draft);
    if (faults.isEmpty()) {
      faults = ExecutorNames.faults(ExecutorNames.of(List.of(draft)), rules, command.listedTools());
    }
    return faults.isEmpty() ? updated(command, draft, rules) : TreeOutcome.refused(faults);
  }

  private static TaskFault notChanged(TreeTask task, String change, String reason) {
    return new InvalidStateTransition(task.id(), task.status().word(), change, reason);
  }

  private Decision<TreeOutcome> updated(ChangeTree command, TaskDraft draft, Rules rules) {
    TaskContent content =
        content(draft, payloadRecorders.of(rules, ContentOwner.at(command.owner(), command.at())));
    return TaskContentSize.fault(draft.id(), content)
        .map(TreeOutcome::refused)
        .orElseGet(() ->
            TreeOutcome.done(
                List.of(
                    new TreeTaskUpdated(
                        command.treeId(),
                        draft.id(),
                        command.owner(),
                        content,
                        command.callId(),
                        command.at()))));
  }

  private static Decision<TreeOutcome> delete(
      ChangeTree command, TreeTasks shape, TreeTask changed) {
    String taskId = changed.id();
    if (changed.origin().archived()) {
      return TreeOutcome.refused(
          notChanged(changed, InvalidStateTransition.DELETE, TaskOrigin.ARCHIVED));
    }
    Obstacle obstacle = obstacle(changed, shape);
    return obstacle == null
        ? TreeOutcome.done(
            List.of(
                new TreeTaskDeleted(
                    command.treeId(), taskId, command.owner(), command.callId(), command.at())))
        : TreeOutcome.refused(new TaskFault.CannotDeleteTask(taskId, obstacle));
  }

  private static @Nullable Obstacle obstacle(TreeTask task, TreeTasks shape) {
    if (task.status() != TreeStatus.PENDING) {
      return Obstacle.NOT_PENDING;
    }
    if (!shape.children(task.id()).isEmpty()) {
      return Obstacle.HAS_CHILDREN;
    }
    // a task that links show was completed, and can be pending again
    return task.origin().linked() || !shape.dependents(task.id()).isEmpty()
        ? Obstacle.HAS_DEPENDENTS
        : null;
  }

  /** Nothing is recorded for a task that is an archive already. */
  public static Decision<TreeOutcome> decide(ArchiveTasks command, TreeTasks tasks) {
    List<String> present = tasks.all().stream().map(TreeTask::id).toList();
    List<TaskFault> faults = CopySources.missing(command.taskIds(), Set.copyOf(present));
    if (faults.isEmpty()) {
      faults = CopySources.incomplete(tasks.all());
    }
    return faults.isEmpty()
        ? TreeOutcome.done(
            command.taskIds().stream()
                .filter(id -> !isArchived(id, tasks))
                .map(id -> archived(command, id))
                .toList())
        : TreeOutcome.refused(faults);
  }

  private static TreeTaskArchived archived(ArchiveTasks command, String id) {
    return new TreeTaskArchived(
        command.treeId(), id, command.owner(), command.callId(), command.at());
  }
}
