package gatebook.api.rpc;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/** Writes texts as JSON strings. */
public final class JsonStrings {

  private JsonStrings() {}

  /** The text with its quotes, and with escapes where JSON needs them. */
  public static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
