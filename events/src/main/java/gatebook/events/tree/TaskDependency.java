package gatebook.events.tree;

/**
 * A dependency of a task on another task of its tree.
 *
 * @param id of the task that has to end first
 * @param required whether that task has to be completed; otherwise any end will do
 */
public record TaskDependency(String id, boolean required) {}
