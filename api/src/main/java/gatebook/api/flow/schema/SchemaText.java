package gatebook.api.flow.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.util.Optional;

/** Reads JSON texts, of schemas and of inputs, into trees that are safe to compute with. */
final class SchemaText {

  /** Comparing numbers writes all their digits. */
  private static final int DIGITS_MAX = 400;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private SchemaText() {}

  /**
   * The tree of a text; empty when it cannot be computed with: a number has too many digits, or
   * objects and arrays are nested too deep.
   */
  static Optional<JsonNode> tree(String json, int depthMax) {
    try {
      return Optional.of(JSON.readTree(json)).filter(node -> isSafe(node, depthMax));
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static boolean isSafe(JsonNode node, int depthLeft) {
    if (node.isContainerNode()) {
      return depthLeft > 0 && node.valueStream().allMatch(child -> isSafe(child, depthLeft - 1));
    }
    return !node.isNumber() || isShort(node.decimalValue());
  }

  private static boolean isShort(BigDecimal number) {
    return Math.abs((long) number.scale()) <= DIGITS_MAX && number.precision() <= DIGITS_MAX;
  }
}
