package gatebook.api.dialect;

/** Shortens what a caller is told, and mends what is no text. */
final class Cut {

  /** The longest message, and the longest text in its data, in bytes of UTF-8. */
  static final int BYTES_MAX = 1_024;

  private static final int REPLACEMENT = 0xFFFD;

  private Cut() {}

  /** The longest beginning of whole code points that fits; half of a pair is replaced. */
  static String text(String text) {
    StringBuilder cut = new StringBuilder(Math.min(text.length(), BYTES_MAX));
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      i += Character.charCount(codePoint);
      int told = isHalf(codePoint) ? REPLACEMENT : codePoint;
      bytes += bytes(told);
      if (bytes > BYTES_MAX) {
        break;
      }
      cut.appendCodePoint(told);
    }
    return cut.toString();
  }

  private static boolean isHalf(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
