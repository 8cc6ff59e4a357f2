package gatebook.api.flow.read;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a task as it was sent; its references are not resolved yet.
 *
 * @param id the one that was given, or a new one
 * @param parent the id or the name of its parent; absent for a root
 * @param definition the JSON of the whole task
 * @param inputs their JSON; absent where there are none
 */
record TaskFields(
    String id,
    @Nullable String parent,
    String name,
    @Nullable String executor,
    int priority,
    List<DependencyField> dependencies,
    String definition,
    @Nullable String inputs) {
  TaskFields {
    dependencies = List.copyOf(dependencies);
  }

  /**
   * One dependency.
   *
   * @param reference the id or the name of a task
   * @param json as it was sent
   */
  record DependencyField(String reference, boolean required, String json) {}
}
