package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.IdentityHashMap;
import java.util.stream.Stream;

/**
 * Finds circles in a schema: a part that applies itself again to the same value, by references and
 * combinations, so that no check with it ends.
 */
final class SchemaCircles {

  private enum State {
    OPEN,
    DONE
  }

  private final JsonNode root;
  private final boolean referenceStandsAlone;
  private final IdentityHashMap<JsonNode, State> states = new IdentityHashMap<>();

  private SchemaCircles(JsonNode root, boolean referenceStandsAlone) {
    this.root = root;
    this.referenceStandsAlone = referenceStandsAlone;
  }

  /**
   * Whether a part of the schema applies itself again.
   *
   * @param referenceStandsAlone whether what stands beside a reference is ignored, as until draft 7
   */
  static boolean areIn(JsonNode schema, boolean referenceStandsAlone) {
    return new SchemaCircles(schema, referenceStandsAlone).hasCircle(schema);
  }

  private boolean hasCircle(JsonNode node) {
    return leadsBack(node) || node.valueStream().anyMatch(this::hasCircle);
  }

  private boolean leadsBack(JsonNode node) {
    State state = states.get(node);
    if (state != null || !node.isObject()) {
      return state == State.OPEN;
    }
    states.put(node, State.OPEN);
    boolean isBack = applied(node).anyMatch(this::leadsBack);
    states.put(node, State.DONE);
    return isBack;
  }

  /** The parts that are applied to the same value as this one. */
  private Stream<JsonNode> applied(JsonNode node) {
    String reference = node.path("$ref").asText("");
    Stream<JsonNode> target =
        reference.equals("#") || reference.startsWith("#/")
            ? Stream.of(root.at(decoded(reference.substring(1))))
            : Stream.empty();
    return referenceStandsAlone && node.has("$ref")
        ? target
        : Stream.of(
                target,
                Stream.of("allOf", "anyOf", "oneOf").flatMap(name -> node.path(name).valueStream()),
                Stream.of("not", "if", "then", "else").map(node::path))
            .flatMap(it -> it);
  }

  private static String decoded(String pointer) {
    return pointer.replace("%25", "%").replace("%24", "$");
  }
}
