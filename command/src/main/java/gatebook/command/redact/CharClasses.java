package gatebook.command.redact;

/** Classes of characters in a lookup table, since every character of a text is classified. */
final class CharClasses {

  static final int UPPER = 1;
  static final int LOWER = 1 << 1;
  static final int DIGIT = 1 << 2;
  static final int HEX = 1 << 3;

  /** Letters and digits, {@code _} and {@code -}. */
  static final int WORD = 1 << 4;

  /** {@link #WORD}, and characters that join words of one token: {@code . + / ~ =}. */
  static final int JOINED = 1 << 5;

  static final int BLANK = 1 << 6;

  /** Quotes and angle brackets, which end every word. */
  static final int QUOTE = 1 << 7;

  /** Blanks, line ends and other control characters, and the spaces of Unicode. */
  static final int SPACE = 1 << 8;

  static final int BACKSLASH = 1 << 9;

  /** What ends a name in a path. */
  static final int PATH_END = 1 << 10;

  static final int SOURCE_PATH = 1 << 11;

  /** The part of an e-mail address before its sign. */
  static final int EMAIL_NAME = 1 << 12;

  static final int DOMAIN = 1 << 13;
  static final int XML_NAME = 1 << 14;

  /** A name in a frame of a stack trace, in any language. */
  static final int FRAME_NAME = 1 << 15;

  /** {@link #FRAME_NAME}, but for lists and brackets, as before the place of a frame. */
  static final int PLACE_NAME = 1 << 16;

  /** What ends a word of a frame. */
  static final int FRAME_END = 1 << 17;

  static final int GO_NAME = 1 << 18;

  /** Arguments as Go prints them, as numbers. */
  static final int GO_ARGUMENT = 1 << 19;

  static final int ALNUM = UPPER | LOWER | DIGIT;

  private static final char MIDDLE_DOT = '\u00b7';
  private static final int[] CLASSES = classes();

  private CharClasses() {}

  static boolean is(char c, int classes) {
    return ((c < 128 ? CLASSES[c] : classesBeyondAscii(c)) & classes) != 0;
  }

  static boolean isAt(String text, int at, int classes) {
    return at >= 0 && at < text.length() && is(text.charAt(at), classes);
  }

  /** The first index from {@code from} on whose character is in none of the classes. */
  static int skip(String text, int from, int classes) {
    return skip(text, from, text.length(), classes);
  }

  /** As above; {@code end} if all characters before it are in the classes. */
  static int skip(String text, int from, int end, int classes) {
    int at = from;
    while (at < end && is(text.charAt(at), classes)) {
      at++;
    }
    return at;
  }

  /** The first index from {@code from} on whose character is in one of the classes. */
  static int seek(String text, int from, int classes) {
    return seek(text, from, text.length(), classes);
  }

  /** As above; {@code end} if no character before it is in the classes. */
  static int seek(String text, int from, int end, int classes) {
    int at = from;
    while (at < end && !is(text.charAt(at), classes)) {
      at++;
    }
    return at;
  }

  /** Whether any character of the range is in one of the classes. */
  static boolean contains(String text, int from, int end, int classes) {
    return seek(text, from, end, classes) < end;
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

  /** The first index from {@code from} on whose character is none of these. */
  static int skipAny(String text, int from, int end, String chars) {
    int at = from;
    while (at < end && chars.indexOf(text.charAt(at)) >= 0) {
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

  /** The end of the range without these characters at its end. */
  static int trim(String text, int from, int end, String chars) {
    int at = end;
    while (at > from && chars.indexOf(text.charAt(at - 1)) >= 0) {
      at--;
    }
    return at;
  }

  private static int classesBeyondAscii(char c) {
    if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
      return SPACE | PATH_END | FRAME_END;
    }
    int name = Character.isLetter(c) ? DOMAIN | FRAME_NAME | PLACE_NAME | GO_NAME : 0;
    int path = Character.isLetterOrDigit(c) || Character.isSurrogate(c) ? SOURCE_PATH : 0;
    return EMAIL_NAME | name | path | (c == MIDDLE_DOT ? GO_NAME : 0);
  }

  private static int[] classes() {
    int[] classes = new int[128];
    int names = WORD | JOINED | SOURCE_PATH | EMAIL_NAME | XML_NAME;
    int words = names | FRAME_NAME | PLACE_NAME | GO_NAME;
    mark(classes, words | DOMAIN | UPPER, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    mark(classes, words | DOMAIN | LOWER, "abcdefghijklmnopqrstuvwxyz");
    mark(classes, words | DOMAIN | DIGIT | HEX | GO_ARGUMENT, "0123456789");
    mark(classes, words, "_-");
    mark(classes, HEX | GO_ARGUMENT, "abcdefABCDEF");
    mark(classes, JOINED, ".+/~=");
    mark(classes, BLANK, " \t");
    mark(classes, QUOTE | PATH_END, "\"'`<>");
    mark(classes, BACKSLASH, "\\");
    mark(classes, PATH_END, "|*?,;:()[]{}&=#!");
    mark(classes, SOURCE_PATH, ".+/\\~$@");
    mark(classes, EMAIL_NAME, ".+%'!#$&*?^{|}~");
    mark(classes, DOMAIN, ".-");
    mark(classes, XML_NAME, ":.");
    mark(classes, FRAME_NAME | PLACE_NAME, ".$/<>@`|&*:#+~");
    mark(classes, FRAME_NAME, ",[]");
    mark(classes, FRAME_END, ",)\"'");
    mark(classes, GO_NAME, "/[]$%");
    mark(classes, GO_ARGUMENT, "x{}, ._?");
    for (char c = 0; c <= ' '; c++) {
      classes[c] |= SPACE | PATH_END | FRAME_END;
    }
    return classes;
  }

  private static void mark(int[] classes, int bits, String chars) {
    chars.chars().forEach(c -> classes[c] |= bits);
  }
}
