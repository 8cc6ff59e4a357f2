package gatebook.command.redact;

/**
 * Finds the lines of a text, whose line ends and tabs may be escaped because the text was quoted.
 */
final class TextLines {

  /** Enough for a text that was quoted a few times. */
  private static final int BACKSLASHES_MAX = 8;

  private TextLines() {}

  /** The end of the line, or of the text. */
  static int end(String text, int from) {
    return end(text, from, text.length());
  }

  /** The end of the line, searched up to a limit. */
  static int end(String text, int from, int limit) {
    for (int at = from; at < limit; at++) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r' || (c == '\\' && isEscaped(text, at, "nr"))) {
        return at;
      }
    }
    return limit;
  }

  /** The start of the line after the one that ends here. */
  static int next(String text, int end) {
    return end < text.length() && text.charAt(end) == '\\'
        ? skipBackslashes(text, end) + 1
        : end + 1;
  }

  /** The first index that is no blank and no tab, escaped or not. */
  static int skipBlanks(String text, int from, int end) {
    int at = from;
    while (at < end) {
      if (CharClasses.is(text.charAt(at), CharClasses.BLANK)) {
        at++;
      } else if (text.charAt(at) == '\\' && isEscaped(text, at, "t")) {
        at = skipBackslashes(text, at) + 1;
      } else {
        return at;
      }
    }
    return end;
  }

  static int skipBackslashes(String text, int from) {
    return CharClasses.skip(text, from, CharClasses.BACKSLASH);
  }

  private static boolean isEscaped(String text, int backslash, String letters) {
    int end = Math.min(text.length(), backslash + BACKSLASHES_MAX);
    int letter = CharClasses.skipAny(text, backslash + 1, end, "\\");
    return letter < text.length() && letters.indexOf(text.charAt(letter)) >= 0;
  }
}
