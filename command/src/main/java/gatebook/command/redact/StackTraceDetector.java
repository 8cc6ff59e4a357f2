package gatebook.command.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds stack traces of Java, Python, JavaScript, Go, Rust, .NET and Ruby, also where their lines
 * are joined or their line ends are escaped: from the first frame to the last, with what stands
 * between them. What failed stays; where it did goes.
 */
final class StackTraceDetector implements Detector {

  private static final List<String> BETWEEN_FRAMES =
      List.of(
          "Caused by",
          "Suppressed",
          "Wrapped by",
          "---",
          "During handling of",
          "The above exception",
          "Traceback",
          "caused by",
          "[Previous line",
          "[CIRCULAR");

  private static final List<String> PYTHON_HEADS =
      List.of("Traceback (most recent call last)", "Stack (most recent call last)");

  private static final String RUST_HEAD = "stack backtrace:";

  /** What lines a trace goes on with depends on the frame before. */
  private enum Language {
    NONE,
    PYTHON,
    GO,
    RUST,
    OTHER
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    Trace trace = new Trace(text, scrubFindings);
    for (int at = 0; at < text.length(); ) {
      int end = TextLines.end(text, at);
      trace.line(at, end);
      at = TextLines.next(text, end);
    }
    trace.end();
  }

  /** The trace that is being read, if any, line by line. */
  private static final class Trace {
    private final String text;
    private final ScrubFindings scrubFindings;
    private int start = -1;
    private int end = -1;
    private int lineBefore = -1;
    private int codeLines;
    private Language language = Language.NONE;

    Trace(String text, ScrubFindings scrubFindings) {
      this.text = text;
      this.scrubFindings = scrubFindings;
    }

    void line(int from, int lineEnd) {
      int at = TextLines.skipBlanks(text, from, lineEnd);
      int call = StackFrames.atEnd(text, at, lineEnd, true);
      if (call > 0) {
        take(at, call);
        language = language == Language.RUST ? language : Language.OTHER;
        lineBefore = -1;
        inLine(call, lineEnd);
        return;
      }
      Language frame = at == lineEnd ? null : frame(from, at, lineEnd);
      if (frame != null) {
        boolean namedBefore = frame == Language.GO && start < 0 && lineBefore >= 0;
        take(namedBefore ? lineBefore : at, lineEnd);
        language = frame;
        codeLines = frame == Language.PYTHON ? 0 : codeLines;
      } else if (at < lineEnd && !goesOn(from, at, lineEnd)) {
        inLine(at, lineEnd);
      }
      if (at < lineEnd) {
        lineBefore = frame == null && isGoFunction(at, lineEnd) ? at : -1;
      }
    }

    private void take(int from, int to) {
      start = start < 0 ? from : start;
      end = to;
    }

    void end() {
      if (start >= 0) {
        scrubFindings.add(start, end, SecretKind.STACK);
      }
      start = -1;
      language = Language.NONE;
    }

    /** Of what language the line is a frame; absent when it is none. */
    private @Nullable Language frame(int from, int at, int lineEnd) {
      return switch (text.charAt(at)) {
        case 'F' ->
            StackFrames.isPythonFile(text, at) && StackFrames.has(text, "\", line ", at, lineEnd)
                ? Language.PYTHON
                : null;
        case 'T', 'S' ->
            PYTHON_HEADS.stream().anyMatch(head -> text.startsWith(head, at))
                ? Language.PYTHON
                : null;
        case 's' -> text.startsWith(RUST_HEAD, at) ? Language.RUST : other(from, at, lineEnd);
        case '.' -> isMore(at, lineEnd) ? Language.OTHER : other(from, at, lineEnd);
        case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
            isNumbered(at, lineEnd) ? Language.RUST : other(from, at, lineEnd);
        case 'g' -> isGoroutine(at, lineEnd) ? Language.GO : other(from, at, lineEnd);
        default -> other(from, at, lineEnd);
      };
    }

    private @Nullable Language other(int from, int at, int lineEnd) {
      if (at > from && StackFrames.isGoPlace(text, at, lineEnd)) {
        return Language.GO;
      }
      return language == Language.GO
              && (isGoFunction(at, lineEnd) || text.startsWith("created by ", at))
          ? Language.GO
          : null;
    }

    /** Whether what is no frame may stand between two. */
    private boolean goesOn(int from, int at, int lineEnd) {
      if (start < 0) {
        return false;
      }
      if (language == Language.PYTHON && at - from >= 2 && codeLines < 2) {
        codeLines++;
        end = lineEnd;
        return true;
      }
      return BETWEEN_FRAMES.stream().anyMatch(words -> text.startsWith(words, at));
    }

    /** {@code ... 12 more}. */
    private boolean isMore(int at, int lineEnd) {
      int digits = TextLines.skipBlanks(text, CharClasses.skipSame(text, at, '.'), lineEnd);
      int end = CharClasses.skip(text, digits, CharClasses.DIGIT);
      return start >= 0 && end > digits && text.startsWith(" ", end);
    }

    /** {@code 12: core::panicking::panic}, also behind an address. */
    private boolean isNumbered(int at, int lineEnd) {
      int digits = CharClasses.skip(text, at, CharClasses.DIGIT);
      int name = CharClasses.skip(text, digits + 1, CharClasses.BLANK);
      return digits - at <= 4
          && text.startsWith(": ", digits)
          && name < lineEnd
          && (language == Language.RUST
              || text.startsWith("0x", name)
              || StackFrames.hasJoined(text, "::", name, lineEnd));
    }

    /** {@code goroutine 7 [running]:}. */
    private boolean isGoroutine(int at, int lineEnd) {
      int number = at + "goroutine ".length();
      int digits = CharClasses.skip(text, number, CharClasses.DIGIT);
      return text.startsWith("goroutine ", at)
          && digits > number
          && digits < lineEnd
          && text.startsWith(" [", digits);
    }

    /** {@code main.run(0x1, {0x2})}, or without arguments. */
    private boolean isGoFunction(int at, int lineEnd) {
      int name = StackFrames.nameEnd(text, at, lineEnd);
      return name > at
          && CharClasses.last(text, '.', at, name) > at
          && (name == lineEnd
              || (text.charAt(name) == '(' && ")}".indexOf(text.charAt(lineEnd - 1)) >= 0));
    }

    /** Frames that stand in a line with other words, or several in one. */
    private void inLine(int from, int lineEnd) {
      for (int at = from; at < lineEnd; at++) {
        int frameStart = at;
        int frameEnd =
            switch (text.charAt(at)) {
              case 'a' ->
                  CharClasses.isAt(text, at - 1, CharClasses.WORD)
                      ? -1
                      : StackFrames.atEnd(text, at, lineEnd, false);
              case '(' -> StackFrames.placeEnd(text, at, lineEnd);
              case ':' -> StackFrames.rubyEnd(text, at, lineEnd);
              case '@' -> StackFrames.webEnd(text, at, lineEnd);
              case 'F' -> StackFrames.pythonEnd(text, at, lineEnd);
              default -> -1;
            };
        if (frameEnd > 0) {
          if (text.charAt(at) != 'a' && text.charAt(at) != 'F') {
            frameStart = StackFrames.start(text, at, from);
          }
          boolean next = start >= 0 && isBlankUntil(frameStart);
          if (!next) {
            end();
          }
          take(frameStart, frameEnd);
          language = Language.OTHER;
          at = frameEnd - 1;
        }
      }
      if (start >= 0 && !isBlankUntil(lineEnd)) {
        end();
      }
    }

    /** Whether nothing stands between the trace so far and this place. */
    private boolean isBlankUntil(int place) {
      int at = TextLines.skipBlanks(text, end, place);
      while (at < place && TextLines.end(text, at, at + 1) == at) {
        at = TextLines.skipBlanks(text, TextLines.next(text, at), place);
      }
      return at >= place;
    }
  }
}
