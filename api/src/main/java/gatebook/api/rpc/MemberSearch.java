package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Set;
import java.util.function.BiConsumer;

/** Searches a value for members by their names, however deep they are. */
public final class MemberSearch {

  private MemberSearch() {}

  /**
   * Passes every text and number that is a member with one of the names, or is in an array there,
   * with the name.
   *
   * @param json a value that was part of a message
   */
  public static void forEach(String json, Set<String> names, BiConsumer<String, String> action) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      search("", jsonTokens.nextValue(), jsonTokens, names, action);
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  /**
   * Searches the value that begins at the current token.
   *
   * @param name of the member in which it is
   */
  private static void search(
      String name,
      JsonToken token,
      JsonTokens jsonTokens,
      Set<String> names,
      BiConsumer<String, String> action)
      throws JsonSyntaxError {
    switch (token) {
      case START_OBJECT -> {
        while (jsonTokens.next() == JsonToken.FIELD_NAME) {
          String member = jsonTokens.string();
          search(member, jsonTokens.nextValue(), jsonTokens, names, action);
        }
      }
      case START_ARRAY -> {
        JsonToken element = jsonTokens.nextValue();
        while (element != JsonToken.END_ARRAY) {
          search(name, element, jsonTokens, names, action);
          element = jsonTokens.nextValue();
        }
      }
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        if (names.contains(name)) {
          action.accept(name, jsonTokens.string());
        }
      }
      default -> {
        // null and the truth values are no texts
      }
    }
  }
}
