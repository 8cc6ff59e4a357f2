package gatebook.command.tree;

/**
 * A copy of a task that is to be created in another tree, or a link to the task.
 *
 * @param sourceId of the task that is copied or linked
 * @param isLink whether the new task shows the result of the source, and never runs
 */
public record TaskCopy(String sourceId, TaskDraft draft, boolean isLink) {}
