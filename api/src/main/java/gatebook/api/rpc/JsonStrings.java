package gatebook.api.rpc;

import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import gatebook.command.redact.Scrubber;
import java.util.Optional;

/** Writes texts as JSON strings, and reads them. */
public final class JsonStrings {

  private JsonStrings() {}

  /** The text with its quotes, and with escapes where JSON needs them. */
  public static String quoted(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    JsonStringEncoder.getInstance().quoteAsString(text, json);
    return json.append('"').toString();
  }

  /** The text of a JSON string that was part of a message, without quotes and escapes. */
  public static String unquoted(String json) {
    if (json.indexOf('\\') < 0) {
      return Scrubber.wellFormed(json.substring(1, json.length() - 1));
    }
    try {
      JsonTokens jsonTokens = new JsonTokens(RawText.of(json), 1);
      JsonToken _ = jsonTokens.nextValue();
      return jsonTokens.string();
    } catch (JsonSyntaxError e) {
      throw new IllegalArgumentException("not a value of a message that was read", e);
    }
  }

  /** The text of a value that was part of a message; empty when it is no string. */
  public static Optional<String> text(String json) {
    return json.startsWith("\"") ? Optional.of(unquoted(json)) : Optional.empty();
  }
}
