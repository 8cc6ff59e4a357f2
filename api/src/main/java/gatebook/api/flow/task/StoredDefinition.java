package gatebook.api.flow.task;

import gatebook.api.rpc.ArrayElements;
import gatebook.api.rpc.ObjectMembers;
import gatebook.command.tree.ReadTask;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The definition of a task as it is stored. Many dependencies are left out of it, since they are
 * stored beside it, and twice they would not fit into one event.
 */
public final class StoredDefinition {
  private static final String DEPENDENCIES = "dependencies";

  /** Up to this length, dependencies are stored exactly as their owner gave them, too. */
  private static final int DEPENDENCIES_CHARS_MAX = 16 << 10;

  private static final Set<String> PLAIN = Set.of("id", "required");

  private StoredDefinition() {}

  /** The definition without dependencies, if they are many and have no members of their own. */
  public static String of(String json) {
    if (json.length() <= DEPENDENCIES_CHARS_MAX) {
      return json;
    }
    ObjectMembers members = ObjectMembers.of(json);
    return members
        .json(DEPENDENCIES)
        .filter(array -> array.length() > DEPENDENCIES_CHARS_MAX && arePlain(array))
        .map(_ -> members.replace(json, DEPENDENCIES, "null"))
        .orElse(json);
  }

  private static boolean arePlain(String array) {
    return ArrayElements.of(array).orElse(List.of()).stream().allMatch(StoredDefinition::isPlain);
  }

  private static boolean isPlain(String dependency) {
    boolean[] isPlain = {dependency.startsWith("{")};
    ObjectMembers.of(dependency).forEach((name, _) -> isPlain[0] &= PLAIN.contains(name));
    return isPlain[0];
  }

  /** A stored definition with its dependencies. */
  static String whole(String definition, ReadTask stored) {
    boolean isWhole =
        stored.task().content().dependencies().isEmpty()
            || ObjectMembers.of(definition)
                .json(DEPENDENCIES)
                .filter(json -> !json.equals("null"))
                .isPresent();
    return isWhole
        ? definition
        : MergedObject.of(
            definition,
            Map.of(
                DEPENDENCIES, FlowTaskJson.dependencies(stored.task().content().dependencies())));
  }
}
