package gatebook.api.stdio;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Malformed;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a frame says of its body: {@code application/vscode-jsonrpc}, in UTF-8 and nothing else. */
final class ContentType {

  private static final String EXPECTED = "application/vscode-jsonrpc";
  private static final String CHARSET = "charset=";
  private static final int KEPT_CHARS_MAX = 128;

  private ContentType() {}

  static @Nullable Malformed fault(String value) {
    String[] parts = value.split(";", -1);
    if (!parts[0].strip().equalsIgnoreCase(EXPECTED)) {
      return new Malformed.UnsupportedContentType(kept(parts[0]));
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith(CHARSET) && !isUtf8(parameter.substring(CHARSET.length()))) {
        return new Malformed.BadCharset(kept(parameter.substring(CHARSET.length())));
      }
    }
    return null;
  }

  private static boolean isUtf8(String charset) {
    return charset.equals("utf-8") || charset.equals("\"utf-8\"");
  }

  /** What a header says is recorded, but no secret that somebody put there. */
  private static String kept(String text) {
    String scrubbed =
        Scrubber.BUILT_IN.scrub(text.replace("\"", "").strip()).toLowerCase(Locale.ROOT);
    return TextPrefix.of(scrubbed, KEPT_CHARS_MAX);
  }
}
