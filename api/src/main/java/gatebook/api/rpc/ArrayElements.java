package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the elements of an array that was part of a message, each exactly as it was written. */
public final class ArrayElements {

  private ArrayElements() {}

  /** The elements of a value from a message that was read; empty when it is no array. */
  public static Optional<List<String>> of(String json) {
    try {
      return read(new JsonTokens(RawText.of(json), Integer.MAX_VALUE));
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static Optional<List<String>> read(JsonTokens jsonTokens) throws JsonSyntaxError {
    if (jsonTokens.next() != JsonToken.START_ARRAY) {
      return Optional.empty();
    }
    List<String> elements = new ArrayList<>();
    while (jsonTokens.nextValue() != JsonToken.END_ARRAY) {
      elements.add(jsonTokens.slice());
    }
    return Optional.of(elements);
  }
}
