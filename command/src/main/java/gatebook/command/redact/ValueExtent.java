package gatebook.command.redact;

import org.jspecify.annotations.Nullable;

/** The extent of a value in a text, without quotes around it. */
record ValueExtent(int start, int end) {

  private static final String OPENING = "{[";
  private static final String CLOSING = "}]";
  private static final String SENTENCE_ENDS = ".,;:!?)]}";
  private static final int NAME_MAX = 64;

  /** The extent of the value that starts here; null if none does. */
  static @Nullable ValueExtent of(String text, int start) {
    int marker = RedactionMarker.end(text, start);
    if (marker >= 0) {
      return new ValueExtent(start, Math.max(marker, bareEnd(text, marker)));
    }
    int quote = TextLines.skipBackslashes(text, start);
    if (CharClasses.isAt(text, quote, CharClasses.QUOTE)) {
      return nonEmpty(quote + 1, closingQuote(text, quote, quote - start));
    }
    return start < text.length() && OPENING.indexOf(text.charAt(start)) >= 0
        ? new ValueExtent(start, closingBracket(text, start))
        : nonEmpty(start, bareEnd(text, start));
  }

  /** The extent of the rest of a line, for headers. */
  static @Nullable ValueExtent ofLine(String text, int start) {
    return nonEmpty(start, CharClasses.seekAny(text, start, text.length(), "\r\n\"\\"));
  }

  private static @Nullable ValueExtent nonEmpty(int start, int end) {
    return end > start ? new ValueExtent(start, end) : null;
  }

  /**
   * The closing quote. One that is escaped once more than the opening one belongs to the value.
   * Without a closing quote, the value extends to the end.
   */
  private static int closingQuote(String text, int opening, int backslashes) {
    char quote = text.charAt(opening);
    int run = 0;
    for (int at = opening + 1; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == quote && run >= backslashes && (run - backslashes) % (2 * (backslashes + 1)) == 0) {
        return at - backslashes;
      }
      run = c == '\\' ? run + 1 : 0;
    }
    return text.length();
  }

  private static int closingBracket(String text, int start) {
    int depth = 0;
    for (int at = start; at < text.length(); at++) {
      char c = text.charAt(at);
      if (c == '"') {
        at = closingQuote(text, at, 0);
      } else if (OPENING.indexOf(c) >= 0) {
        depth++;
      } else if (CLOSING.indexOf(c) >= 0 && --depth == 0) {
        return at + 1;
      }
    }
    return text.length();
  }

  private static int bareEnd(String text, int start) {
    int end = start;
    while (end < text.length() && !endsBare(text, end)) {
      end++;
    }
    return CharClasses.trim(text, start, end, SENTENCE_ENDS);
  }

  private static boolean endsBare(String text, int at) {
    char c = text.charAt(at);
    return CharClasses.is(c, CharClasses.SPACE | CharClasses.QUOTE)
        || (c == '\\' && isEscape(text, at + 1))
        || ((c == '&' || c == ';' || c == ',') && isNextName(text, at + 1));
  }

  private static boolean isEscape(String text, int at) {
    return at < text.length() && "\"'nrt\\".indexOf(text.charAt(at)) >= 0;
  }

  private static boolean isNextName(String text, int at) {
    int end = Math.min(CharClasses.skip(text, at, CharClasses.WORD), at + NAME_MAX);
    return end > at && end < text.length() && "=:".indexOf(text.charAt(end)) >= 0;
  }
}
