package gatebook.api.dialect;

/** Shortens what a caller is told. */
final class Cut {

  /** The longest message, and the longest text in its data, in bytes of UTF-8. */
  static final int BYTES_MAX = 1_024;

  private Cut() {}

  /** The longest beginning of whole code points that fits. */
  static String text(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); ) {
      int codePoint = text.codePointAt(i);
      bytes += bytes(codePoint);
      if (bytes > BYTES_MAX) {
        return text.substring(0, i);
      }
      i += Character.charCount(codePoint);
    }
    return text;
  }

  private static int bytes(int codePoint) {
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
