package gatebook.command.policy.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Determines whether a policy, in the engine's JSON form, may depend on the time. */
public final class TimeDependence {

  private static final Set<String> TIMELESS = Set.of("policy_id", "source_id");
  private static final Set<String> ACCESSES = Set.of(".", "has");

  private TimeDependence() {}

  /** True unless everything it reads of the context is known not to be the time. */
  public static boolean mayReadTime(JsonNode node) {
    if (isContext(node)) {
      return true;
    }
    for (var member : node.properties()) {
      boolean timeless =
          ACCESSES.contains(member.getKey())
              && isContext(member.getValue().path("left"))
              && TIMELESS.contains(member.getValue().path("attr").asText());
      if (!timeless && mayReadTime(member.getValue())) {
        return true;
      }
    }
    for (JsonNode element : node.isArray() ? node : Set.<JsonNode>of()) {
      if (mayReadTime(element)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isContext(JsonNode node) {
    return node.path("Var").asText().equals("context");
  }
}
