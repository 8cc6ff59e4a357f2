package gatebook.api.stdio;

import gatebook.command.redact.Scrubber;
import gatebook.events.call.TextPrefix;
import gatebook.events.fault.Malformed;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Checks the content type of a frame: {@code application/vscode-jsonrpc}, in UTF-8 only. */
final class ContentType {

  private static final String EXPECTED = "application/vscode-jsonrpc";
  private static final String CHARSET = "charset=";
  private static final int RECORDED_CHARS_MAX = 128;

  private ContentType() {}

  static @Nullable Malformed fault(String value) {
    String[] parts = value.split(";", -1);
    if (!parts[0].strip().equalsIgnoreCase(EXPECTED)) {
      return new Malformed.UnsupportedContentType(recordable(parts[0]));
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
      if (parameter.startsWith(CHARSET) && !isUtf8(parameter.substring(CHARSET.length()))) {
        return new Malformed.BadCharset(recordable(parameter.substring(CHARSET.length())));
      }
    }
    return null;
  }

  private static boolean isUtf8(String charset) {
    return charset.equals("utf-8") || charset.equals("\"utf-8\"");
  }

  /** The header's value as it is recorded: without secrets. */
  private static String recordable(String text) {
    String scrubbed =
        Scrubber.BUILT_IN.scrub(text.replace("\"", "").strip()).toLowerCase(Locale.ROOT);
    return TextPrefix.of(scrubbed, RECORDED_CHARS_MAX);
  }
}
