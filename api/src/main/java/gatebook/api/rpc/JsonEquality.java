package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Compares JSON texts by what they mean: white space and the order of members do not count, numbers
 * are compared by value. The parser's own limits hold, since a number of any length would take any
 * time: texts beyond them are equal only when they are the same.
 */
public final class JsonEquality {
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private JsonEquality() {}

  /** Both texts were part of messages. */
  public static boolean areEqual(String one, String other) {
    return one.equals(other) || isSameTree(one, other);
  }

  private static boolean isSameTree(String one, String other) {
    try {
      return JSON.readTree(one).equals(JSON.readTree(other));
    } catch (JsonProcessingException _) {
      return false;
    }
  }
}
