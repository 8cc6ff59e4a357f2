package gatebook.command.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Finds out whether a policy, in the engine's JSON form, may read the time. */
final class TimeDependence {

  private static final Set<String> TIMELESS = Set.of("policy_id", "source_id");
  private static final Set<String> ACCESSES = Set.of(".", "has");

  private TimeDependence() {}

  /** True unless everything it reads of the context is known to be something else. */
  static boolean in(JsonNode node) {
    if (isContext(node)) {
      return true;
    }
    for (var member : node.properties()) {
      boolean timeless =
          ACCESSES.contains(member.getKey())
              && isContext(member.getValue().path("left"))
              && TIMELESS.contains(member.getValue().path("attr").asText());
      if (!timeless && in(member.getValue())) {
        return true;
      }
    }
    for (JsonNode element : node.isArray() ? node : Set.<JsonNode>of()) {
      if (in(element)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isContext(JsonNode node) {
    return node.path("Var").asText().equals("context");
  }
}
