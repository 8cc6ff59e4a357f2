package gatebook.api.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** What whoever is asked does not see of arguments: paths through objects, never into arrays. */
final class HiddenFields {
  private static final String INSTEAD = "[REDACTED]";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private HiddenFields() {}

  /**
   * The arguments without what the paths lead to.
   *
   * @param arguments the text of a JSON value
   * @param paths names of members, with dots between them
   */
  static JsonNode hide(String arguments, List<String> paths) {
    try {
      JsonNode tree = JSON.readTree(arguments);
      paths.forEach(path -> hide(tree, path));
      return tree;
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("recorded arguments cannot be read", e);
    }
  }

  private static void hide(JsonNode tree, String path) {
    if (!(tree instanceof ObjectNode object)) {
      return;
    }
    if (object.has(path)) { // a name may have a dot in it
      object.put(path, INSTEAD);
    }
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      hide(object.path(path.substring(0, dot)), path.substring(dot + 1));
    }
  }
}
