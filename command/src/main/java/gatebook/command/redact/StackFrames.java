package gatebook.command.redact;

/** Frames of stack traces, each on its own; -1 is where none ends. */
final class StackFrames {

  private static final int NAME_MAX = 512;
  private static final int PLACE_MAX = 1_024;
  private static final int SUFFIX_MAX = 256;
  private static final String AT = "at ";

  private StackFrames() {}

  /**
   * Where a frame ends that begins with {@code at} here.
   *
   * @param onItsOwn whether nothing stands before it in its line: then a call of a dotted name is
   *     enough
   */
  static int atEnd(String text, int at, int lineEnd, boolean onItsOwn) {
    if (!text.startsWith(AT, at)) {
      return -1;
    }
    int name = pastWords(text, CharClasses.skip(text, at + AT.length(), CharClasses.BLANK));
    int end = Math.min(lineEnd, name + PLACE_MAX);
    if (isPlace(text, name, tokenEnd(text, name, end))) {
      return tokenEnd(text, name, end);
    }
    int nameEnd = nameEnd(text, name, end);
    if (nameEnd > name && nameEnd < end && text.charAt(nameEnd) == '(') {
      return callEnd(text, name, nameEnd, end, onItsOwn);
    }
    return inBracketsEnd(text, nameEnd, end);
  }

  private static int pastWords(String text, int from) {
    int at = text.startsWith("async ", from) ? from + "async ".length() : from;
    return text.startsWith("new ", at) ? at + "new ".length() : at;
  }

  private static int tokenEnd(String text, int from, int end) {
    int at = from;
    while (at < end
        && !CharClasses.isSpace(text.charAt(at))
        && ",)\"'".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  /** The end of a name with the dots, generics and dollars of any language. */
  static int nameEnd(String text, int from, int end) {
    int limit = Math.min(end, from + NAME_MAX);
    int at = from;
    while (at < limit && isInName(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isInName(char c) {
    return c < 128
        ? CharClasses.is(c, CharClasses.WORD) || ".$/<>@`[],|&*:#+~".indexOf(c) >= 0
        : Character.isLetter(c);
  }

  /** Of Java and .NET, where brackets follow the name at once. */
  private static int callEnd(String text, int name, int opening, int end, boolean onItsOwn) {
    int place = placeEnd(text, opening, end);
    if (place > 0) {
      return place;
    }
    int close = text.indexOf(')', opening, end);
    if (close < 0 || CharClasses.last(text, '.', name, opening) <= name) {
      return -1;
    }
    int line = text.indexOf(":line ", close, end);
    boolean inFile = text.startsWith(" in ", close + 1) && line > 0;
    if (inFile) {
      return CharClasses.skip(text, line + ":line ".length(), CharClasses.DIGIT);
    }
    return onItsOwn ? close + 1 : -1;
  }

  /** Of JavaScript, where a blank stands between, and perhaps another name. */
  private static int inBracketsEnd(String text, int nameEnd, int end) {
    int opening = text.indexOf('(', nameEnd, end);
    if (opening < 0) {
      return -1;
    }
    if (text.startsWith("(eval at ", opening)) {
      return end;
    }
    int close = text.indexOf(')', opening, end);
    return close > 0 && isPlace(text, opening + 1, close) ? close + 1 : -1;
  }

  /**
   * Where a place in brackets ends that belongs to a name before it, as Java has them, with what
   * says from which library it is.
   */
  static int placeEnd(String text, int opening, int lineEnd) {
    int end = Math.min(lineEnd, opening + SUFFIX_MAX);
    int close = text.indexOf(')', opening, end);
    if (close < 0 || !CharClasses.isAt(text, opening - 1, CharClasses.WORD | CharClasses.QUOTE)) {
      return -1;
    }
    boolean known =
        text.startsWith("(Native Method", opening)
            || text.startsWith("(Unknown Source", opening)
            || text.startsWith("(<generated>", opening)
            || isNumberedFile(text, opening + 1, close);
    return known ? libraryEnd(text, close + 1, lineEnd) : -1;
  }

  private static int libraryEnd(String text, int from, int lineEnd) {
    int at = text.startsWith(" ~[", from) ? from + 2 : text.startsWith(" [", from) ? from + 1 : -1;
    int close = at < 0 ? -1 : text.indexOf(']', at, Math.min(lineEnd, at + SUFFIX_MAX));
    return close < 0 || RedactionMarker.end(text, at) > 0 ? from : close + 1;
  }

  private static boolean isNumberedFile(String text, int from, int end) {
    int colon = text.indexOf(':', from, end);
    return colon > from
        && SourceFileDetector.isFile(text, colon)
        && CharClasses.skip(text, colon + 1, CharClasses.DIGIT) == end
        && colon + 1 < end;
  }

  /** Whether the text between is where in a program something is. */
  private static boolean isPlace(String text, int from, int to) {
    String place = text.substring(from, Math.max(from, to));
    if (place.startsWith("<anonymous>") || place.equals("native") || place.startsWith("index ")) {
      return true;
    }
    int end = to;
    while (end > from && text.charAt(end - 1) == ':') {
      end--;
    }
    int last = beforeNumber(text, from, end);
    int first = last < 0 ? -1 : beforeNumber(text, from, last);
    int file = first < 0 ? last : first;
    return file > from
        && (SourceFileDetector.isFile(text, file)
            || place.startsWith("node:")
            || (first > 0 && place.contains("://")));
  }

  /** The place of the colon before the digits that end here. */
  private static int beforeNumber(String text, int from, int end) {
    int digits = CharClasses.back(text, end, 9, CharClasses.DIGIT);
    return digits < end && digits - 1 > from && text.charAt(digits - 1) == ':' ? digits - 1 : -1;
  }

  /** {@code x.rb:12:in 'run'}, seen from its first colon. */
  static int rubyEnd(String text, int colon, int lineEnd) {
    int digits = CharClasses.skip(text, colon + 1, CharClasses.DIGIT);
    if (digits == colon + 1 || !text.startsWith(":in ", digits)) {
      return -1;
    }
    int quote = digits + ":in ".length();
    if (!CharClasses.isAt(text, quote, CharClasses.QUOTE)) {
      return -1;
    }
    int limit = Math.min(lineEnd, quote + NAME_MAX);
    int close = text.indexOf('\'', quote + 1, limit);
    return close < 0 ? limit : close + 1;
  }

  /** {@code run@https://host/x.js:1:2}, seen from its sign. */
  static int webEnd(String text, int sign, int lineEnd) {
    int end = tokenEnd(text, sign + 1, Math.min(lineEnd, sign + PLACE_MAX));
    int scheme = text.indexOf("://", sign, end);
    return scheme > 0 && isPlace(text, sign + 1, end) && !text.startsWith("//", sign - 2)
        ? end
        : -1;
  }

  /** The name of a file follows, whose quotes may be escaped. */
  static boolean isPythonFile(String text, int at) {
    int quote = at + "File ".length();
    while (text.startsWith("\\", quote) && quote - at < 16) {
      quote++;
    }
    return text.startsWith("File ", at) && text.startsWith("\"", quote);
  }

  /** {@code File "x.py", line 3, in run}. */
  static int pythonEnd(String text, int at, int lineEnd) {
    if (!isPythonFile(text, at)) {
      return -1;
    }
    int line = text.indexOf("\", line ", at, Math.min(lineEnd, at + PLACE_MAX));
    if (line < 0) {
      return -1;
    }
    int number = CharClasses.skip(text, line + "\", line ".length(), CharClasses.DIGIT);
    return text.startsWith(", in ", number)
        ? nameEnd(text, number + ", in ".length(), lineEnd)
        : number;
  }

  /** {@code /x/main.go:12 +0x1d}. */
  static boolean isGoPlace(String text, int at, int lineEnd) {
    int file = text.indexOf(".go:", at, Math.min(lineEnd, at + PLACE_MAX));
    int number = file + ".go:".length();
    int end = file < 0 ? -1 : CharClasses.skip(text, number, CharClasses.DIGIT);
    return end > number && (end == lineEnd || text.startsWith(" +0x", end));
  }

  /** Where the name or the path begins that stands before this, and {@code at} or {@code from}. */
  static int start(String text, int at, int from) {
    int start = at;
    while (start > from && at - start < NAME_MAX && isBeforePlace(text.charAt(start - 1))) {
      start--;
    }
    if (text.startsWith("at ", start - 3)) {
      return start - 3;
    }
    return text.startsWith("from ", start - 5) ? start - 5 : start;
  }

  private static boolean isBeforePlace(char c) {
    return isInName(c) && ",[]".indexOf(c) < 0 && c != '"';
  }

  /** Whether the words stand between. */
  static boolean has(String text, String words, int from, int end) {
    int at = text.indexOf(words, from, Math.min(end, from + PLACE_MAX));
    return at >= 0;
  }

  /** Whether the words stand in the first word. */
  static boolean hasJoined(String text, String words, int from, int end) {
    return has(text, words, from, tokenEnd(text, from, Math.min(end, from + NAME_MAX)));
  }
}
