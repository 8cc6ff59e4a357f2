package gatebook.api.rpc;

import static gatebook.api.rpc.JsonStrings.quoted;

import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.call.JsonValue;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Rewrites the texts in a value, and nothing of its structure. */
public final class TextRewrite {

  private TextRewrite() {}

  /**
   * The same value with every text changed, names of members included. A name that an object has
   * already gets a number.
   */
  public static JsonValue changed(JsonValue value, UnaryOperator<String> change) {
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(value.toString()), Integer.MAX_VALUE);
      StringBuilder changed = new StringBuilder();
      append(jsonTokens.nextValue(), jsonTokens, change, changed);
      return JsonValue.parse(changed.toString());
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static void append(
      JsonToken token, JsonTokens jsonTokens, UnaryOperator<String> change, StringBuilder to)
      throws JsonSyntaxError {
    switch (token) {
      case START_OBJECT -> appendMembers(jsonTokens, change, to);
      case START_ARRAY -> appendElements(jsonTokens, change, to);
      case VALUE_STRING -> to.append(quoted(change.apply(jsonTokens.string())));
      default -> to.append(jsonTokens.slice());
    }
  }

  private static void appendMembers(
      JsonTokens jsonTokens, UnaryOperator<String> change, StringBuilder to)
      throws JsonSyntaxError {
    Set<String> names = new HashSet<>();
    to.append('{');
    while (jsonTokens.next() == JsonToken.FIELD_NAME) {
      to.append(names.isEmpty() ? "" : ",");
      to.append(quoted(unused(change.apply(jsonTokens.string()), names))).append(':');
      append(jsonTokens.nextValue(), jsonTokens, change, to);
    }
    to.append('}');
  }

  private static String unused(String name, Set<String> names) {
    String unused = name;
    for (int i = 2; !names.add(unused); i++) {
      unused = name + " " + i;
    }
    return unused;
  }

  private static void appendElements(
      JsonTokens jsonTokens, UnaryOperator<String> change, StringBuilder to)
      throws JsonSyntaxError {
    String before = "[";
    for (JsonToken next = jsonTokens.nextValue();
        next != JsonToken.END_ARRAY;
        next = jsonTokens.nextValue()) {
      to.append(before);
      append(next, jsonTokens, change, to);
      before = ",";
    }
    to.append(before.equals("[") ? "[]" : "]");
  }
}
