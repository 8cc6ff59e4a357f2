package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;

import com.fasterxml.jackson.core.JsonToken;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** Searches a value for members by their names, however deep they are. */
public final class MemberSearch {
  private final JsonTokens jsonTokens;
  private final Set<String> names;
  private final Visitor visitor;

  /** Visits a text or a number that is at the current token, in a member with one of the names. */
  @FunctionalInterface
  private interface Visitor {
    void visit(String name, JsonTokens atValue) throws JsonSyntaxError;
  }

  private MemberSearch(JsonTokens jsonTokens, Set<String> names, Visitor visitor) {
    this.jsonTokens = jsonTokens;
    this.names = names;
    this.visitor = visitor;
  }

  /**
   * Passes every text and number that is a member with one of the names, or is in an array there,
   * with the name.
   *
   * @param json a value that was part of a message
   */
  public static void forEach(String json, Set<String> names, BiConsumer<String, String> action) {
    search(json, names, (name, atValue) -> action.accept(name, atValue.string()));
  }

  /**
   * The same value with other texts instead of some of those that {@link #forEach} passes; every
   * other character is left as it was sent.
   *
   * @param replacement takes the name and the text; empty to leave it
   */
  public static String replaced(
      String json, Set<String> names, BiFunction<String, String, Optional<String>> replacement) {
    StringBuilder replaced = new StringBuilder();
    int[] copied = {0};
    search(
        json,
        names,
        (name, atValue) -> {
          Optional<String> other = replacement.apply(name, atValue.string());
          if (other.isPresent()) {
            replaced.append(json, copied[0], (int) atValue.start()).append(quoted(other.get()));
            atValue.skip();
            copied[0] = (int) atValue.offset();
          }
        });
    return copied[0] == 0 ? json : replaced.append(json, copied[0], json.length()).toString();
  }

  private static void search(String json, Set<String> names, Visitor visitor) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), Integer.MAX_VALUE);
      new MemberSearch(jsonTokens, names, visitor).search("", jsonTokens.nextValue());
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  /**
   * Searches the value that begins at the current token.
   *
   * @param name of the member in which it is
   */
  private void search(String name, JsonToken token) throws JsonSyntaxError {
    switch (token) {
      case START_OBJECT -> {
        while (jsonTokens.next() == JsonToken.FIELD_NAME) {
          String member = jsonTokens.string();
          search(member, jsonTokens.nextValue());
        }
      }
      case START_ARRAY -> {
        JsonToken element = jsonTokens.nextValue();
        while (element != JsonToken.END_ARRAY) {
          search(name, element);
          element = jsonTokens.nextValue();
        }
      }
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
        if (names.contains(name)) {
          visitor.visit(name, jsonTokens);
        }
      }
      default -> {
        // null and the truth values are no texts
      }
    }
  }
}
