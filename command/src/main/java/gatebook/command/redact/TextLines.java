package gatebook.command.redact;

/** Lines of a text, whose ends and tabs may be escaped because the text was quoted. */
final class TextLines {

  /** A text is quoted a few times at most. */
  private static final int BACKSLASHES_MAX = 8;

  private TextLines() {}

  /** Where the line ends, or the text. */
  static int end(String text, int from) {
    return end(text, from, text.length());
  }

  /** The same, looking no further than so. */
  static int end(String text, int from, int limit) {
    for (int at = from; at < limit; at++) {
      char c = text.charAt(at);
      if (c == '\n' || c == '\r' || (c == '\\' && isEscaped(text, at, "nr"))) {
        return at;
      }
    }
    return limit;
  }

  /** The beginning of the line after the one that ends here. */
  static int next(String text, int end) {
    return end < text.length() && text.charAt(end) == '\\'
        ? CharClasses.skipSame(text, end, '\\') + 1
        : end + 1;
  }

  /** The first place that is no blank and no tab, escaped or not. */
  static int skipBlanks(String text, int from, int end) {
    int at = from;
    while (at < end) {
      if (CharClasses.is(text.charAt(at), CharClasses.BLANK)) {
        at++;
      } else if (text.charAt(at) == '\\' && isEscaped(text, at, "t")) {
        at = CharClasses.skipSame(text, at, '\\') + 1;
      } else {
        return at;
      }
    }
    return end;
  }

  private static boolean isEscaped(String text, int backslash, String letters) {
    int letter = backslash + 1;
    while (text.startsWith("\\", letter) && letter - backslash < BACKSLASHES_MAX) {
      letter++;
    }
    return letter < text.length() && letters.indexOf(text.charAt(letter)) >= 0;
  }
}
