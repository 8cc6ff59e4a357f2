package gatebook.command.redact;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects stack traces of Java, Python, JavaScript, Go, Rust, .NET and Ruby, also if their lines
 * are joined or their line ends escaped. A finding extends from the first frame to the last. The
 * message of the failure stays.
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

  /** The language of the last frame, which decides which lines continue a trace. */
  enum Language {
    NONE,
    PYTHON,
    GO,
    RUST,
    OTHER
  }

  @Override
  public void find(String text, ScrubFindings scrubFindings) {
    Trace trace = new Trace(text, scrubFindings);
    trace.addLines();
    trace.end();
  }

  /** The current trace, if any, read line by line. */
  static final class Trace {
    private final String text;
    private final ScrubFindings scrubFindings;
    private int start = -1;
    private int end = -1;
    private int lineBefore = -1;
    private int codeLines;
    private int contentFor = -1;
    private int content;
    private Language language = Language.NONE;

    Trace(String text, ScrubFindings scrubFindings) {
      this.text = text;
      this.scrubFindings = scrubFindings;
    }

    /** Reads the whole text. */
    void addLines() {
      for (int at = 0; at < text.length(); ) {
        int lineEnd = TextLines.end(text, at);
        addLine(at, lineEnd);
        at = TextLines.next(text, lineEnd);
      }
    }

    /** The same trace, at the start of the text that follows this one. */
    Trace continuedIn(String following) {
      Trace trace = new Trace(following, new ScrubFindings());
      trace.start = isOpen() ? 0 : -1;
      trace.end = 0;
      trace.lineBefore = isAfterName() ? 0 : -1;
      trace.codeLines = codeLines;
      trace.language = language;
      return trace;
    }

    boolean isOpen() {
      return start >= 0;
    }

    /** Whether the last line names a function, if the next one says where it is. */
    boolean isAfterName() {
      return lineBefore >= 0;
    }

    boolean isGo() {
      return language == Language.GO;
    }

    /** Whether the trace goes on or begins here and extends over the whole text. */
    boolean coversText() {
      return start >= 0
          && end > start
          && TextLines.skipBlanks(text, 0, start) == start
          && isBlankUntil(text.length());
    }

    private void addLine(int from, int lineEnd) {
      int at = TextLines.skipBlanks(text, from, lineEnd);
      int call = StackFrames.atEnd(text, at, lineEnd, true);
      if (call > 0) {
        extend(at, call);
        language = language == Language.RUST ? language : Language.OTHER;
        lineBefore = -1;
        findInLine(call, lineEnd);
        return;
      }
      Language frame = at == lineEnd ? null : frame(from, at, lineEnd);
      if (frame != null) {
        boolean namedBefore = frame == Language.GO && start < 0 && lineBefore >= 0;
        extend(namedBefore ? lineBefore : at, lineEnd);
        language = frame;
        codeLines = frame == Language.PYTHON ? 0 : codeLines;
      } else if (at < lineEnd && !isBetweenFrames(from, at, lineEnd)) {
        findInLine(at, lineEnd);
      }
      if (at < lineEnd) {
        lineBefore = frame == null && isGoFunction(at, lineEnd) ? at : -1;
      }
    }

    private void extend(int from, int to) {
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

    /** The language of the line's frame; null if it is no frame. */
    private @Nullable Language frame(int from, int at, int lineEnd) {
      if (StackFrames.pythonEnd(text, at, lineEnd) == lineEnd
          || JoinedFrames.pythonHeaderEnd(text, at) == lineEnd) {
        return Language.PYTHON;
      }
      if (JoinedFrames.rustHeaderEnd(text, at) > 0 || isRustFrame(at, lineEnd)) {
        return Language.RUST;
      }
      if (isMoreFrames(at, lineEnd)) {
        return Language.OTHER;
      }
      boolean go =
          JoinedFrames.goroutineState(text, at) > 0
              || (at > from && StackFrames.isGoLocation(text, at, lineEnd))
              || (language == Language.GO
                  && (isGoFunction(at, lineEnd) || text.startsWith("created by ", at)));
      return go ? Language.GO : null;
    }

    /** Whether a line that is no frame may be between two frames. */
    private boolean isBetweenFrames(int from, int at, int lineEnd) {
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

    /** Whether it is {@code ... 12 more}. */
    private boolean isMoreFrames(int at, int lineEnd) {
      int digits = TextLines.skipBlanks(text, CharClasses.skipAny(text, at, lineEnd, "."), lineEnd);
      int end = CharClasses.skip(text, digits, CharClasses.DIGIT);
      return start >= 0 && text.startsWith(".", at) && end > digits && text.startsWith(" ", end);
    }

    /** Whether it is {@code 12: core::panicking::panic}, perhaps with an address. */
    private boolean isRustFrame(int at, int lineEnd) {
      int name = JoinedFrames.numberedStart(text, at, lineEnd);
      return name >= 0
          && (language == Language.RUST
              || text.startsWith("0x", name)
              || StackFrames.firstWordContains(text, "::", name, lineEnd));
    }

    /** Whether it is {@code main.run(0x1, {0x2})}, or without arguments. */
    private boolean isGoFunction(int at, int lineEnd) {
      int name = StackFrames.nameEnd(text, at, lineEnd);
      return name > at
          && CharClasses.last(text, '.', at, name) > at
          && (name == lineEnd
              || (text.charAt(name) == '(' && ")}".indexOf(text.charAt(lineEnd - 1)) >= 0));
    }

    /** Finds frames in a line with other words, or several frames in one line. */
    private void findInLine(int from, int lineEnd) {
      for (int at = from; at < lineEnd; at++) {
        int frameEnd = findJoined(from, at, lineEnd);
        if (frameEnd < 0) {
          frameEnd = findFrame(from, at, lineEnd);
        }
        at = Math.max(at, frameEnd - 1);
      }
      if (start >= 0 && !isBlankUntil(lineEnd)) {
        end();
      }
    }

    /** The end of a frame of which a word that starts here is a part; -1 if there is none. */
    private int findJoined(int from, int at, int lineEnd) {
      boolean startsWord =
          !CharClasses.is(text.charAt(at), CharClasses.BLANK)
              && (at == from || CharClasses.is(text.charAt(at - 1), CharClasses.BLANK));
      if (!startsWord) {
        return -1;
      }
      Language open = continues(at) ? language : Language.NONE;
      JoinedFrames.Joined joined = JoinedFrames.at(text, at, lineEnd, open);
      if (joined == null) {
        return -1;
      }
      add(at, joined.end(), joined.language());
      return joined.end();
    }

    /** The end of a frame that has its sign here; -1 if there is none. */
    private int findFrame(int from, int at, int lineEnd) {
      char sign = text.charAt(at);
      int frameEnd =
          switch (sign) {
            case 'a' ->
                CharClasses.isAt(text, at - 1, CharClasses.WORD)
                    ? -1
                    : StackFrames.atEnd(text, at, lineEnd, continues(at));
            case '(' -> StackFrames.locationEnd(text, at, lineEnd);
            case ':' -> StackFrames.rubyEnd(text, at, lineEnd);
            case '@' -> StackFrames.webEnd(text, at, lineEnd);
            case 'F' -> StackFrames.pythonEnd(text, at, lineEnd);
            default -> -1;
          };
      if (frameEnd > 0) {
        int frameStart = sign == 'a' || sign == 'F' ? at : StackFrames.start(text, at, from);
        boolean inRust = continues(frameStart) && language == Language.RUST;
        add(
            frameStart,
            frameEnd,
            sign == 'F' ? Language.PYTHON : inRust ? Language.RUST : Language.OTHER);
      }
      return frameEnd;
    }

    private void add(int frameStart, int frameEnd, Language of) {
      if (!continues(frameStart)) {
        end();
      }
      extend(frameStart, frameEnd);
      language = of;
      codeLines = 0;
    }

    /** Whether the trace, if any, goes on at this index. */
    private boolean continues(int index) {
      return start >= 0 && isBlankUntil(index);
    }

    /** Whether only blanks and line ends are between the trace and this index. */
    private boolean isBlankUntil(int index) {
      if (contentFor != end) {
        content = contentFrom(end);
        contentFor = end;
      }
      return content >= index;
    }

    private int contentFrom(int from) {
      int at = TextLines.skipBlanks(text, from, text.length());
      while (at < text.length() && TextLines.end(text, at, at + 1) == at) {
        at = TextLines.skipBlanks(text, TextLines.next(text, at), text.length());
      }
      return at;
    }
  }
}
