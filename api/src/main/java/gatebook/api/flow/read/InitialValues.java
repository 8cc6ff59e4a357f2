package gatebook.api.flow.read;

import gatebook.api.rpc.CheckedMembers;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The initial values of the members that the gateway computes. A new task may have them, since a
 * task that was read has them, too; it may have no others.
 */
public final class InitialValues {
  public static final String COMPUTED = "Computed by the server";

  private static final List<String> NULLS =
      List.of(
          "result",
          "error",
          "created_at",
          "started_at",
          "updated_at",
          "completed_at",
          "next_run_at",
          "last_run_at");

  private static final Map<String, Set<String>> OTHERS =
      Map.of(
          "status", Set.of("\"pending\""),
          "progress", Set.of("0", "0.0"),
          "has_references", Set.of("false"),
          "run_count", Set.of("0"));

  private InitialValues() {}

  static void check(CheckedMembers task) {
    NULLS.forEach(name -> {
      if (task.has(name)) {
        refuse(task, name, "null");
      }
    });
    OTHERS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(other -> check(task, other.getKey(), other.getValue()));
  }

  private static void check(CheckedMembers task, String name, Set<String> values) {
    if (task.json(name).filter(json -> !values.contains(json)).isPresent()) {
      refuse(task, name, values.stream().sorted().findFirst().orElseThrow().replace("\"", ""));
    }
  }

  private static void refuse(CheckedMembers task, String name, String expected) {
    task.add(name, COMPUTED, expected, null);
  }
}
