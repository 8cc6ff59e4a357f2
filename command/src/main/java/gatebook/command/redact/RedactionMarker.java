package gatebook.command.redact;

import java.util.Locale;

/** What stands where something was taken out. */
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

  /** Where the marker that begins here ends; -1 when none does. */
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

  static String removedFrom(String text) {
    String rest = text;
    for (RedactionMarker redactionMarker : ALL) {
      rest = rest.replace(redactionMarker.text, "");
    }
    return rest;
  }

  /** Where the marker begins that this place is inside of; the place itself when it is in none. */
  static int start(String text, int at) {
    for (int i = Math.max(0, at - LENGTH_MAX + 1); i < at; i++) {
      if (end(text, i) > at) {
        return i;
      }
    }
    return at;
  }
}
