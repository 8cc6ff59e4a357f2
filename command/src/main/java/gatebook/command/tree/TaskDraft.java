package gatebook.command.tree;

import gatebook.events.tree.TaskDependency;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A draft of a task that is to be created, or the changed content of one.
 *
 * @param parentId absent for the root of a tree
 * @param executor the tool or built-in executor that runs it; absent for a task that only groups
 * @param definition the JSON of the whole task as its owner gave it; it is stored in one event with
 *     the dependencies, so best without them
 * @param inputs the JSON of its inputs; absent where there are none
 */
public record TaskDraft(
    String id,
    @Nullable String parentId,
    String name,
    @Nullable String executor,
    int priority,
    List<TaskDependency> dependencies,
    String definition,
    @Nullable String inputs) {
  public TaskDraft {
    dependencies = List.copyOf(dependencies);
  }
}
