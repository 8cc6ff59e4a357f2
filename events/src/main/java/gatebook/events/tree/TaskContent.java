package gatebook.events.tree;

import gatebook.events.call.Erasable;
import gatebook.events.call.KeptContent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of a task of a tree.
 *
 * @param name as operators see it: without secrets
 * @param executor the tool or built-in executor that runs it, as operators see it; absent for a
 *     task that only groups others
 * @param priority 0 to 3; a smaller one runs first
 * @param inputs what the journal keeps of the inputs for operators
 * @param definition the JSON of the whole task as its owner gave it; absent only when it cannot be
 *     read
 */
public record TaskContent(
    @Erasable String name,
    @Nullable String executor,
    int priority,
    List<TaskDependency> dependencies,
    @Nullable KeptContent inputs,
    @Erasable(isOriginal = true) @Nullable String definition) {
  public TaskContent {
    dependencies = List.copyOf(dependencies);
  }
}
