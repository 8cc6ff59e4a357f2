package gatebook.command.tree;

import gatebook.command.tree.TakenTaskIds.WantedIds;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Changes the shape of a tree of tasks.
 *
 * @param callId the call that asks for it
 * @param rulesHash of the rules in force
 * @param listedTools of the executors of tasks that are added or updated
 */
public record ChangeTree(
    UUID treeId,
    String owner,
    Change change,
    UUID callId,
    Instant at,
    String rulesHash,
    ListedTools listedTools)
    implements TreeCommand {

  /** The property of the task that must stay as it is until the change is recorded. */
  public static final String CHANGED_TASK = "changedTask";

  /** The id of no task. */
  private static final String NO_TASK = "";

  /** The property of the ids that must not be taken, by any task of the owner. */
  public static final String WANTED_IDS = "wantedIds";

  public WantedIds wantedIds() {
    return new WantedIds(
        owner,
        change instanceof Change.AddTasks(var drafts)
            ? drafts.stream().map(TaskDraft::id).toList()
            : List.of());
  }

  /** The task that is updated or deleted; no task has the key of a change that adds tasks. */
  public TaskKey changedTask() {
    return new TaskKey(
        owner,
        switch (change) {
          case Change.AddTasks _ -> NO_TASK;
          case Change.UpdateTask(var draft) -> draft.id();
          case Change.DeleteTask(var taskId) -> taskId;
        });
  }

  /** What is changed. */
  public sealed interface Change {

    /** Adds tasks whose parents are in the tree. */
    record AddTasks(List<TaskDraft> drafts) implements Change {
      public AddTasks {
        drafts = List.copyOf(drafts);
      }
    }

    /** Replaces the content of a task. */
    record UpdateTask(TaskDraft draft) implements Change {}

    /** Deletes a task that is pending, and has no children and no dependents. */
    record DeleteTask(String taskId) implements Change {}
  }
}
