package gatebook.command.redact;

/** Recognises single frames of stack traces. The end of a frame is -1 if there is none. */
final class StackFrames {

  private static final int NAME_MAX = 512;
  private static final int LOCATION_MAX = 1_024;
  private static final int SUFFIX_MAX = 256;
  private static final String AT = "at ";

  private StackFrames() {}

  /**
   * The end of a frame that starts with {@code at} here.
   *
   * @param follows whether nothing is before it in its line but other frames: then a call of a
   *     dotted name is enough
   */
  static int atEnd(String text, int at, int lineEnd, boolean follows) {
    if (!text.startsWith(AT, at)) {
      return -1;
    }
    int name = skipKeywords(text, CharClasses.skip(text, at + AT.length(), CharClasses.BLANK));
    int end = Math.min(lineEnd, name + LOCATION_MAX);
    int nameEnd = nameEnd(text, name, end);
    boolean isCall = nameEnd > name && nameEnd < end && text.charAt(nameEnd) == '(';
    int callEnd = isCall ? callEnd(text, name, nameEnd, end, follows) : -1;
    if (callEnd > 0) {
      return callEnd;
    }
    int wordEnd = CharClasses.seek(text, name, end, CharClasses.FRAME_END);
    if (isLocation(text, name, wordEnd)) {
      return wordEnd;
    }
    return isCall ? -1 : inBracketsEnd(text, nameEnd, end);
  }

  private static int skipKeywords(String text, int from) {
    int at = text.startsWith("async ", from) ? from + "async ".length() : from;
    return text.startsWith("new ", at) ? at + "new ".length() : at;
  }

  /** The end of a name, with the dots, generics and dollars of any language. */
  static int nameEnd(String text, int from, int end) {
    return CharClasses.skip(text, from, Math.min(end, from + NAME_MAX), CharClasses.FRAME_NAME);
  }

  /** The end of a frame of Java or .NET, where brackets directly follow the name. */
  private static int callEnd(String text, int name, int opening, int end, boolean follows) {
    int location = locationEnd(text, opening, end);
    if (location > 0) {
      return location;
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
    return follows || isManagedCall(text, name, opening, close, end) ? close + 1 : -1;
  }

  /**
   * Whether a call without a place is a frame of .NET rather than part of a sentence: its
   * parameters have types, or it is a method of a class in a namespace, or another call follows.
   */
  private static boolean isManagedCall(String text, int name, int opening, int close, int end) {
    return haveTypes(text, opening + 1, close)
        || (close == opening + 1 && isInNamespace(text, name, opening))
        || isFollowedByCall(text, close + 1, end);
  }

  /** Whether it is a list like {@code String name, Int32 count}. */
  private static boolean haveTypes(String text, int from, int end) {
    int at = from;
    while (at < end) {
      int typeEnd = Math.min(end, nameEnd(text, at, end));
      int name = CharClasses.skip(text, typeEnd, CharClasses.BLANK);
      int nameEnd = CharClasses.skip(text, name, CharClasses.WORD);
      boolean typed =
          CharClasses.isAt(text, at, CharClasses.UPPER)
              && text.charAt(typeEnd - 1) != ','
              && typeEnd < name
              && name < nameEnd;
      if (!typed || (nameEnd < end && text.charAt(nameEnd) != ',')) {
        return false;
      }
      at = CharClasses.skip(text, nameEnd + 1, CharClasses.BLANK);
    }
    return from < end;
  }

  /** Whether it is a name like {@code Example.Shop.Cart.Add}. */
  private static boolean isInNamespace(String text, int from, int end) {
    int dots = 0;
    boolean begins = true;
    for (int at = from; at < end; at++) {
      char c = text.charAt(at);
      if (begins && !CharClasses.is(c, CharClasses.UPPER) && "<.`".indexOf(c) < 0) {
        return text.startsWith(".ctor", at - 1) && dots > 1;
      }
      begins = c == '.';
      dots += begins ? 1 : 0;
    }
    return dots > 1;
  }

  private static boolean isFollowedByCall(String text, int from, int end) {
    int at = CharClasses.skip(text, from, CharClasses.BLANK);
    int name = at + AT.length();
    int nameEnd = text.startsWith(AT, at) ? nameEnd(text, name, end) : name;
    return text.startsWith("(", nameEnd) && CharClasses.last(text, '.', name, nameEnd) > name;
  }

  /**
   * The end of a frame of JavaScript, with a blank and perhaps another name before the brackets.
   */
  private static int inBracketsEnd(String text, int nameEnd, int end) {
    int opening = text.indexOf('(', nameEnd, end);
    if (opening < 0) {
      return -1;
    }
    if (text.startsWith("(eval at ", opening)) {
      return end;
    }
    int close = text.indexOf(')', opening, end);
    return close > 0 && isLocation(text, opening + 1, close) ? close + 1 : -1;
  }

  /** The end of a location in brackets after a name, as in Java, including the library after it. */
  static int locationEnd(String text, int opening, int lineEnd) {
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

  /** Whether the range is a location in a program. */
  private static boolean isLocation(String text, int from, int to) {
    String location = text.substring(from, Math.max(from, to));
    if (location.startsWith("<anonymous>")
        || location.equals("native")
        || location.startsWith("index ")) {
      return true;
    }
    int end = CharClasses.trim(text, from, to, ":");
    int last = numberColon(text, from, end);
    int first = last < 0 ? -1 : numberColon(text, from, last);
    int file = first < 0 ? last : first;
    return file > from
        && (SourceFileDetector.isFile(text, file)
            || location.startsWith("node:")
            || (first > 0 && location.contains("://")));
  }

  /** The index of the colon before the digits that end here. */
  private static int numberColon(String text, int from, int end) {
    int digits = CharClasses.skipBack(text, end, 9, CharClasses.DIGIT);
    return digits < end && digits - 1 > from && text.charAt(digits - 1) == ':' ? digits - 1 : -1;
  }

  /** The end of {@code x.rb:12:in 'run'}, given its first colon. */
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

  /** The end of {@code run@https://host/x.js:1:2}, given its {@code @}. */
  static int webEnd(String text, int sign, int lineEnd) {
    int limit = Math.min(lineEnd, sign + LOCATION_MAX);
    int end = CharClasses.seek(text, sign + 1, limit, CharClasses.FRAME_END);
    int scheme = text.indexOf("://", sign, end);
    return scheme > 0 && isLocation(text, sign + 1, end) && !text.startsWith("//", sign - 2)
        ? end
        : -1;
  }

  /** Whether a Python file name starts here; its quotes may be escaped. */
  static boolean isPythonFile(String text, int at) {
    int name = at + "File ".length();
    int quote = CharClasses.skipAny(text, name, Math.min(text.length(), at + 16), "\\");
    return text.startsWith("File ", at) && text.startsWith("\"", quote);
  }

  /** The end of {@code File "x.py", line 3, in run}. */
  static int pythonEnd(String text, int at, int lineEnd) {
    if (!isPythonFile(text, at)) {
      return -1;
    }
    int line = text.indexOf("\", line ", at, Math.min(lineEnd, at + LOCATION_MAX));
    if (line < 0) {
      return -1;
    }
    int number = CharClasses.skip(text, line + "\", line ".length(), CharClasses.DIGIT);
    return text.startsWith(", in ", number)
        ? nameEnd(text, number + ", in ".length(), lineEnd)
        : number;
  }

  /** Whether it is a Go location: {@code /x/main.go:12 +0x1d}. */
  static boolean isGoLocation(String text, int at, int lineEnd) {
    int file = text.indexOf(".go:", at, Math.min(lineEnd, at + LOCATION_MAX));
    int number = file + ".go:".length();
    int end = file < 0 ? -1 : CharClasses.skip(text, number, CharClasses.DIGIT);
    return end > number && (end == lineEnd || text.startsWith(" +0x", end));
  }

  /** The start of the name or path before this index, with {@code at} or {@code from}. */
  static int start(String text, int at, int from) {
    int start =
        CharClasses.skipBack(text, at, Math.min(at - from, NAME_MAX), CharClasses.PLACE_NAME);
    if (text.startsWith("at ", start - 3)) {
      return start - 3;
    }
    return text.startsWith("from ", start - 5) ? start - 5 : start;
  }

  /** Whether the first word of the range contains the words. */
  static boolean firstWordContains(String text, String words, int from, int end) {
    int limit = Math.min(end, from + NAME_MAX);
    int wordEnd = CharClasses.seek(text, from, limit, CharClasses.FRAME_END);
    return text.indexOf(words, from, wordEnd) >= 0;
  }
}
