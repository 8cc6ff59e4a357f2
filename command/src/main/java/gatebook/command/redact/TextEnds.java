package gatebook.command.redact;

/** Where texts end, and whether their characters are whole. */
final class TextEnds {

  private static final char REPLACEMENT = '\uFFFD';

  private TextEnds() {}

  /** Half a surrogate pair has no form in UTF-8. */
  static String wellFormed(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (isLone(text, at)) {
        return replaced(text);
      }
    }
    return text;
  }

  private static String replaced(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int at = 0; at < text.length(); at++) {
      if (isLone(text, at)) {
        out.setCharAt(at, REPLACEMENT);
      }
    }
    return out.toString();
  }

  private static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    return Character.isSurrogate(c)
        && !(Character.isHighSurrogate(c)
            ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
            : at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
  }

  /**
   * The longest beginning of whole characters and markers that fits into so many bytes of UTF-8.
   */
  static String cut(String text, int bytesMax) {
    int bytes = 0;
    for (int at = 0; at < text.length(); ) {
      int codePoint = text.codePointAt(at);
      bytes += bytes(codePoint);
      if (bytes > bytesMax) {
        return text.substring(0, RedactionMarker.start(text, at));
      }
      at += Character.charCount(codePoint);
    }
    return text;
  }

  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
