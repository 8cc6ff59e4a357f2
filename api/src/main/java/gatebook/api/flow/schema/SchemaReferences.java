package gatebook.api.flow.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Finds references of a schema to what is outside it. */
final class SchemaReferences {
  private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");
  private static final Set<String> IDS = Set.of("$id", "id");
  private static final Set<String> DATA = Set.of("enum", "const", "default", "examples");

  private final Set<String> ids = new HashSet<>();
  private final Set<String> targets = new HashSet<>();

  private SchemaReferences() {}

  /** Whether the schema refers to anything else than its own parts. */
  static boolean leadOutside(JsonNode schema) {
    SchemaReferences references = new SchemaReferences();
    references.find(schema);
    return !references.ids.containsAll(references.targets);
  }

  private void find(JsonNode node) {
    if (node.isObject()) {
      node.properties().forEach(this::find);
    } else {
      node.forEach(this::find);
    }
  }

  private void find(Map.Entry<String, JsonNode> member) {
    String name = member.getKey();
    JsonNode value = member.getValue();
    if (value.isTextual()) {
      if (REFERENCES.contains(name) && !value.textValue().startsWith("#")) {
        targets.add(document(value.textValue()));
      }
      if (IDS.contains(name)) {
        ids.add(document(value.textValue()));
      }
    } else if (!DATA.contains(name)) {
      find(value);
    }
  }

  private static String document(String reference) {
    int fragment = reference.indexOf('#');
    return fragment < 0 ? reference : reference.substring(0, fragment);
  }
}
