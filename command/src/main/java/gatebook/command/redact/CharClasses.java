package gatebook.command.redact;

/** Character classes in a lookup table, since every character of a text is classified. */
final class CharClasses {

  static final int UPPER = 1;
  static final int LOWER = 2;
  static final int DIGIT = 4;
  static final int HEX = 8;

  /** Letters and digits, {@code _} and {@code -}. */
  static final int WORD = 16;

  /** {@link #WORD}, and characters that join words of one token: {@code . + / ~ =}. */
  static final int JOINED = 32;

  static final int BLANK = 64;

  /** Quotes and angle brackets, which end every word. */
  static final int QUOTE = 128;

  static final int ALNUM = UPPER | LOWER | DIGIT;

  private static final byte[] CLASSES = classes();

  private CharClasses() {}

  static boolean is(char c, int classes) {
    return c < 128 && (CLASSES[c] & classes) != 0;
  }

  static boolean isAt(String text, int at, int classes) {
    return at >= 0 && at < text.length() && is(text.charAt(at), classes);
  }

  /** The first index from {@code from} on whose character is in none of the classes. */
  static int skip(String text, int from, int classes) {
    int at = from;
    while (at < text.length() && is(text.charAt(at), classes)) {
      at++;
    }
    return at;
  }

  /** The first index from {@code from} on whose character is in one of the classes. */
  static int seek(String text, int from, int classes) {
    int at = from;
    while (at < text.length() && !is(text.charAt(at), classes)) {
      at++;
    }
    return at;
  }

  /** Whether any character of the range is in one of the classes. */
  static boolean contains(String text, int from, int end, int classes) {
    for (int at = from; at < end; at++) {
      if (is(text.charAt(at), classes)) {
        return true;
      }
    }
    return false;
  }

  /** The last index of the character in the range; -1 if it does not occur. */
  static int last(String text, char c, int from, int end) {
    for (int at = end - 1; at >= from; at--) {
      if (text.charAt(at) == c) {
        return at;
      }
    }
    return -1;
  }

  /** The start of the characters in the classes that end before {@code from}. */
  static int skipBack(String text, int from, int charsMax, int classes) {
    int at = from;
    while (at > 0 && from - at < charsMax && is(text.charAt(at - 1), classes)) {
      at--;
    }
    return at;
  }

  /** The first index from {@code from} on with another character. */
  static int skipSame(String text, int from, char c) {
    int at = from;
    while (at < text.length() && text.charAt(at) == c) {
      at++;
    }
    return at;
  }

  static int seekAny(String text, int from, int end, String chars) {
    int at = from;
    while (at < end && chars.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  static boolean isSpace(char c) {
    return c <= ' ' || (c > 127 && (Character.isWhitespace(c) || Character.isSpaceChar(c)));
  }

  private static byte[] classes() {
    byte[] classes = new byte[128];
    mark(classes, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", UPPER | WORD | JOINED);
    mark(classes, "abcdefghijklmnopqrstuvwxyz", LOWER | WORD | JOINED);
    mark(classes, "0123456789", DIGIT | HEX | WORD | JOINED);
    mark(classes, "abcdefABCDEF", HEX);
    mark(classes, "_-", WORD | JOINED);
    mark(classes, ".+/~=", JOINED);
    mark(classes, " \t", BLANK);
    mark(classes, "\"'`<>", QUOTE);
    return classes;
  }

  private static void mark(byte[] classes, String chars, int bits) {
    chars.chars().forEach(c -> classes[c] |= (byte) bits);
  }
}
