package gatebook.command.redact;

/** Truncates texts without splitting characters or markers, and repairs ends of surrogate pairs. */
final class TextEnds {

  private static final char REPLACEMENT = '\uFFFD';

  private TextEnds() {}

  /** Replaces each unpaired surrogate, which UTF-8 cannot encode. */
  static String wellFormed(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (isLoneSurrogate(text, at)) {
        return replaceLoneSurrogates(text);
      }
    }
    return text;
  }

  private static String replaceLoneSurrogates(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int at = 0; at < text.length(); at++) {
      if (isLoneSurrogate(text, at)) {
        out.setCharAt(at, REPLACEMENT);
      }
    }
    return out.toString();
  }

  private static boolean isLoneSurrogate(String text, int at) {
    char c = text.charAt(at);
    return Character.isSurrogate(c)
        && !(Character.isHighSurrogate(c)
            ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
            : at > 0 && Character.isHighSurrogate(text.charAt(at - 1)));
  }

  /** The longest prefix of whole characters and markers that fits into so many bytes of UTF-8. */
  static String truncate(String text, int bytesMax) {
    int bytes = 0;
    for (int at = 0; at < text.length(); ) {
      int codePoint = text.codePointAt(at);
      bytes += utf8Length(codePoint);
      if (bytes > bytesMax) {
        return text.substring(0, RedactionMarker.start(text, at));
      }
      at += Character.charCount(codePoint);
    }
    return text;
  }

  private static int utf8Length(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
