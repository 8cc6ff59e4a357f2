package gatebook.events;

/**
 * An event of one task of a tree. It is also found by the tag {@code tree-task}, which names the
 * owner and the task: different owners may use the same ids.
 */
public sealed interface TreeTaskEvent extends TreeEvent
    permits TreeTaskCreated,
        TreeTaskUpdated,
        TreeTaskDeleted,
        TreeTaskStarted,
        TreeTaskRetried,
        TreeTaskCompleted,
        TreeTaskFailed,
        TreeTaskCancelled,
        TreeTaskReopened,
        TreeTaskLinked,
        TreeTaskReferenced,
        TreeTaskArchived {

  String taskId();
}
