package gatebook.command.redact;

import gatebook.command.redact.StackTraceDetector.Language;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises frames of Go, Rust and Python, whose parts are on lines of their own, where a program
 * joined these lines by blanks.
 */
final class JoinedFrames {

  private static final int HEADER_MAX = 128;
  private static final int CODE_MAX = 512;
  private static final int ARGUMENTS_MAX = 1_024;
  private static final int NAME_MAX = 512;
  private static final int NUMBER_MAX = 4;
  private static final String RUST_HEADER = "stack backtrace:";
  private static final List<String> PYTHON_HEADERS =
      List.of("Traceback (most recent call last)", "Stack (most recent call last)");

  private static final String GOROUTINE = "goroutine ";
  private static final String CREATED = "created by ";
  private static final String IN_GOROUTINE = " in goroutine ";
  private static final String NEXT_FILE = "File \"";

  /** What was found: where it ends, and the language that frames after it are in. */
  record Joined(int end, Language language) {}

  private JoinedFrames() {}

  /**
   * The frame, or a part of one, that starts with the word here; null if there is none.
   *
   * @param open the language of the trace that ends before this word; {@code NONE} if none does
   */
  static @Nullable Joined at(String text, int at, int lineEnd, Language open) {
    Joined header = header(text, at, lineEnd);
    if (header != null) {
      return header;
    }
    if (open != Language.NONE && text.startsWith("--- End of ", at)) {
      int end = text.indexOf("---", at + 3, Math.min(lineEnd, at + HEADER_MAX));
      return joined(end < 0 ? -1 : end + 3, open);
    }
    if (CharClasses.is(text.charAt(at), CharClasses.DIGIT)) {
      return joined(rustEnd(text, at, lineEnd, open == Language.RUST), Language.RUST);
    }
    if (open == Language.PYTHON) {
      boolean next = text.startsWith(NEXT_FILE, at);
      return joined(next ? -1 : codeEnd(text, at, lineEnd), Language.PYTHON);
    }
    return joined(goEnd(text, at, lineEnd, open == Language.GO), Language.GO);
  }

  private static @Nullable Joined header(String text, int at, int lineEnd) {
    return switch (text.charAt(at)) {
      case 's' -> joined(rustHeaderEnd(text, at), Language.RUST);
      case 'g' -> joined(goroutineEnd(text, at, lineEnd), Language.GO);
      case 'T', 'S' -> joined(pythonHeaderEnd(text, at), Language.PYTHON);
      default -> null;
    };
  }

  private static @Nullable Joined joined(int end, Language language) {
    return end < 0 ? null : new Joined(end, language);
  }

  /** The end of {@code stack backtrace:}; -1 if there is none. */
  static int rustHeaderEnd(String text, int at) {
    return text.startsWith(RUST_HEADER, at) ? at + RUST_HEADER.length() : -1;
  }

  /** The end of {@code Traceback (most recent call last):}; -1 if there is none. */
  static int pythonHeaderEnd(String text, int at) {
    for (String header : PYTHON_HEADERS) {
      int end = at + header.length();
      if (text.startsWith(header, at)) {
        return text.startsWith(":", end) ? end + 1 : end;
      }
    }
    return -1;
  }

  /** The end of {@code goroutine 7 [running]:}; -1 if there is none. */
  private static int goroutineEnd(String text, int at, int lineEnd) {
    int state = goroutineState(text, at);
    int end = state < 0 ? -1 : text.indexOf("]:", state, Math.min(lineEnd, at + HEADER_MAX));
    return end < 0 ? -1 : end + 2;
  }

  /** The start of the state in {@code goroutine 7 [running]:}; -1 if there is none. */
  static int goroutineState(String text, int at) {
    int number = at + GOROUTINE.length();
    int digits = text.startsWith(GOROUTINE, at) ? numberEnd(text, number) : number;
    return digits > number && text.startsWith(" [", digits) ? digits : -1;
  }

  private static int numberEnd(String text, int from) {
    return CharClasses.skip(text, from, CharClasses.DIGIT);
  }

  /**
   * The end of {@code 12: core::panicking::panic}, perhaps with an address, without its location.
   * The first frame of a trace without a header must have its location or the next frame after it.
   */
  private static int rustEnd(String text, int at, int lineEnd, boolean continues) {
    int name = rustName(text, at, lineEnd);
    if (name < 0) {
      return -1;
    }
    int end = rustNameEnd(text, name, lineEnd);
    if (continues) {
      return end;
    }
    int next = CharClasses.skip(text, end, CharClasses.BLANK);
    boolean path = text.substring(name, end).contains("::");
    boolean followed =
        StackFrames.atEnd(text, next, lineEnd, false) > 0 || rustName(text, next, lineEnd) > 0;
    return path && followed ? end : -1;
  }

  /** The start of the name in {@code 12: name} or {@code 12: 0x7f - name}; -1 if there is none. */
  private static int rustName(String text, int at, int lineEnd) {
    int name = numberedStart(text, at, lineEnd);
    if (name < 0 || !text.startsWith("0x", name)) {
      return name;
    }
    int address = CharClasses.skip(text, name, CharClasses.ALNUM);
    return text.startsWith(" - ", address) ? Math.min(lineEnd, address + 3) : name;
  }

  /** The start of what is after the number in {@code 12: name}; -1 if there is none. */
  static int numberedStart(String text, int at, int lineEnd) {
    int digits = numberEnd(text, at);
    int start = CharClasses.skip(text, digits + 1, CharClasses.BLANK);
    boolean numbered =
        digits > at
            && digits - at <= NUMBER_MAX
            && text.startsWith(": ", digits)
            && start < lineEnd;
    return numbered ? start : -1;
  }

  /** The end of a name that may have blanks within angle brackets. */
  private static int rustNameEnd(String text, int from, int lineEnd) {
    int limit = Math.min(lineEnd, from + NAME_MAX);
    int depth = 0;
    int at = from;
    while (at < limit && (depth > 0 || !CharClasses.is(text.charAt(at), CharClasses.SPACE))) {
      char c = text.charAt(at);
      if (c == '<') {
        depth++;
      } else if (c == '>' && text.charAt(at - 1) != '-') {
        depth--;
      }
      at++;
    }
    return at < limit || depth <= 0 ? at : CharClasses.seek(text, from, limit, CharClasses.SPACE);
  }

  /**
   * The end of {@code main.run(0x1) /x/main.go:12 +0x1d}. Where a trace is continued, a call or a
   * location is enough, else a name and a location are needed.
   */
  private static int goEnd(String text, int at, int lineEnd, boolean continues) {
    int name = continues && text.startsWith(CREATED, at) ? at + CREATED.length() : at;
    int nameEnd = goNameEnd(text, name, lineEnd);
    if (nameEnd < 0) {
      return continues ? goLocationEnd(text, at, lineEnd) : -1;
    }
    int arguments = argumentsEnd(text, nameEnd, lineEnd);
    int end = arguments < 0 ? nameEnd : arguments;
    if (continues && text.startsWith(IN_GOROUTINE, end)) {
      end = numberEnd(text, end + IN_GOROUTINE.length());
    }
    int location = goLocationEnd(text, TextLines.skipBlanks(text, end, lineEnd), lineEnd);
    if (location > 0) {
      return location;
    }
    return continues && (arguments > 0 || name > at) ? end : -1;
  }

  /** The end of {@code example.com/shop.(*Cart).run}; -1 if it is no such name. */
  private static int goNameEnd(String text, int from, int lineEnd) {
    int limit = Math.min(lineEnd, from + NAME_MAX);
    int at = from;
    int dot = -1;
    while (at < limit) {
      char c = text.charAt(at);
      if (c == '(' && text.startsWith(".", at - 1)) {
        int close = text.indexOf(')', at, limit);
        if (close < 0) {
          return -1;
        }
        at = close;
      } else if (c == '.') {
        dot = at;
      } else if (!CharClasses.is(c, CharClasses.GO_NAME)) {
        break;
      }
      at++;
    }
    boolean letter = CharClasses.isAt(text, from, CharClasses.UPPER | CharClasses.LOWER);
    return letter && dot > from && dot < at - 1 ? at : -1;
  }

  /** The end of the arguments as Go prints them, as numbers; -1 if none are here. */
  private static int argumentsEnd(String text, int opening, int lineEnd) {
    if (!text.startsWith("(", opening)) {
      return -1;
    }
    int limit = Math.min(lineEnd, opening + ARGUMENTS_MAX);
    int at = CharClasses.skip(text, opening + 1, limit, CharClasses.GO_ARGUMENT);
    return at < limit && text.charAt(at) == ')' ? at + 1 : -1;
  }

  private static int goLocationEnd(String text, int at, int lineEnd) {
    int word = CharClasses.seek(text, at, Math.min(lineEnd, at + ARGUMENTS_MAX), CharClasses.SPACE);
    for (String file : List.of(".go:", ".s:")) {
      int colon = text.indexOf(file, at, word);
      int number = colon + file.length();
      int end = colon > at ? numberEnd(text, number) : number;
      if (end > number) {
        return text.startsWith(" +0x", end)
            ? CharClasses.skip(text, end + 2, CharClasses.ALNUM)
            : end;
      }
    }
    return -1;
  }

  /** The end of the source code that Python prints after a frame: the next frame or the error. */
  private static int codeEnd(String text, int from, int lineEnd) {
    int limit = Math.min(lineEnd, from + CODE_MAX);
    for (int at = from; at < limit; ) {
      int end = CharClasses.seek(text, at, limit, CharClasses.SPACE);
      if (text.startsWith(NEXT_FILE, at) || isException(text, at, end)) {
        return CharClasses.skipBack(text, at, CODE_MAX, CharClasses.BLANK) > from ? at - 1 : -1;
      }
      at = CharClasses.skip(text, Math.max(end, at + 1), CharClasses.BLANK);
    }
    return -1;
  }

  private static boolean isException(String text, int from, int end) {
    int nameEnd = text.startsWith(":", end - 1) ? end - 1 : end;
    return CharClasses.isAt(text, from, CharClasses.UPPER | CharClasses.LOWER)
        && StackFrames.nameEnd(text, from, end) == end
        && WordList.EXCEPTION_ENDS.isEndOf(text.substring(from, nameEnd));
  }
}
