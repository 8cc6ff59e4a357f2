package gatebook.api.operator.rpc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Masks the fields of arguments that a workflow hides from approvers. Paths lead through objects,
 * never into arrays.
 */
public final class HiddenFields {
  private static final String REDACTED = "[REDACTED]";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private HiddenFields() {}

  /**
   * The arguments with the values at the paths masked.
   *
   * @param arguments the text of a JSON value
   * @param paths member names, joined by dots
   */
  public static JsonNode hide(String arguments, List<String> paths) {
    try {
      JsonNode node = JSON.readTree(arguments);
      hide(node, paths);
      return node;
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("recorded arguments cannot be read", e);
    }
  }

  /** Masks the values at the paths in this tree, which is changed. */
  public static void hide(JsonNode node, List<String> paths) {
    paths.forEach(path -> hide(node, path));
  }

  private static void hide(JsonNode node, String path) {
    if (!(node instanceof ObjectNode object)) {
      return;
    }
    if (object.has(path)) { // a member name may contain dots
      object.put(path, REDACTED);
    }
    for (int dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) {
      hide(object.path(path.substring(0, dot)), path.substring(dot + 1));
    }
  }
}
