package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The elements of an array that was part of a message, each exactly as it was written. */
public final class Elements {

  private Elements() {}

  /** The elements of a value of a message that was read; nothing when it is no array. */
  public static Optional<List<String>> of(String json) {
    try {
      return read(new Tokens(Text.of(json), Integer.MAX_VALUE));
    } catch (NotJson e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static Optional<List<String>> read(Tokens tokens) throws NotJson {
    if (tokens.next() != JsonToken.START_ARRAY) {
      return Optional.empty();
    }
    List<String> elements = new ArrayList<>();
    while (tokens.nextValue() != JsonToken.END_ARRAY) {
      elements.add(tokens.slice());
    }
    return Optional.of(elements);
  }
}
