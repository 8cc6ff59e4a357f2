package gatebook.api.rpc;

import static gatebook.api.rpc.Quoted.quoted;

import com.fasterxml.jackson.core.JsonToken;
import gatebook.events.call.Json;
import java.util.HashSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Changes the texts in a value, and nothing of its structure. */
public final class Strings {

  private Strings() {}

  /**
   * The same value with other texts, as names of members too; a name that is there already gets a
   * number.
   */
  public static Json changed(Json value, UnaryOperator<String> change) {
    try {
      Tokens tokens = new Tokens(Text.of(value.toString()), Integer.MAX_VALUE);
      StringBuilder changed = new StringBuilder();
      append(tokens.nextValue(), tokens, change, changed);
      return Json.parse(changed.toString());
    } catch (NotJson e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  private static void append(
      JsonToken token, Tokens tokens, UnaryOperator<String> change, StringBuilder to)
      throws NotJson {
    switch (token) {
      case START_OBJECT -> appendMembers(tokens, change, to);
      case START_ARRAY -> appendElements(tokens, change, to);
      case VALUE_STRING -> to.append(quoted(change.apply(tokens.string())));
      default -> to.append(tokens.slice());
    }
  }

  private static void appendMembers(Tokens tokens, UnaryOperator<String> change, StringBuilder to)
      throws NotJson {
    Set<String> names = new HashSet<>();
    to.append('{');
    while (tokens.next() == JsonToken.FIELD_NAME) {
      to.append(names.isEmpty() ? "" : ",");
      to.append(quoted(unused(change.apply(tokens.string()), names))).append(':');
      append(tokens.nextValue(), tokens, change, to);
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

  private static void appendElements(Tokens tokens, UnaryOperator<String> change, StringBuilder to)
      throws NotJson {
    String before = "[";
    for (JsonToken next = tokens.nextValue();
        next != JsonToken.END_ARRAY;
        next = tokens.nextValue()) {
      to.append(before);
      append(next, tokens, change, to);
      before = ",";
    }
    to.append(before.equals("[") ? "[]" : "]");
  }
}
