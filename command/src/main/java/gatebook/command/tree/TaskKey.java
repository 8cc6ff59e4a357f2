package gatebook.command.tree;

/** The key of a task of a tree: its owner and its id. Different owners may use the same ids. */
public record TaskKey(String owner, String taskId) {}
