package gatebook.command.redact;

import java.util.Locale;

/** A marker that replaces redacted text. */
enum RedactionMarker {
  TOKEN,
  PATH,
  STACK,
  IDENTITY,
  VALUE;

  static final int LENGTH_MAX = "[identity]".length();

  private static final RedactionMarker[] ALL = values();

  private final String text = "[" + name().toLowerCase(Locale.ROOT) + "]";

  String text() {
    return text;
  }

  /** The end of the marker that starts here; -1 if none does. */
  static int end(String text, int at) {
    if (at < 0 || at >= text.length() || text.charAt(at) != '[') {
      return -1;
    }
    for (RedactionMarker redactionMarker : ALL) {
      if (text.startsWith(redactionMarker.text, at)) {
        return at + redactionMarker.text.length();
      }
    }
    return -1;
  }

  static boolean isIn(String text) {
    for (RedactionMarker redactionMarker : ALL) {
      if (text.contains(redactionMarker.text)) {
        return true;
      }
    }
    return false;
  }

  static String removeFrom(String text) {
    String rest = text;
    for (RedactionMarker redactionMarker : ALL) {
      rest = rest.replace(redactionMarker.text, "");
    }
    return rest;
  }

  /** The start of the marker around this index; the index itself if it is inside none. */
  static int start(String text, int at) {
    for (int i = Math.max(0, at - LENGTH_MAX + 1); i < at; i++) {
      if (end(text, i) > at) {
        return i;
      }
    }
    return at;
  }
}
