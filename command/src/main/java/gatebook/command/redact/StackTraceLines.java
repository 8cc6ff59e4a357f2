package gatebook.command.redact;

import gatebook.command.redact.StackTraceDetector.Trace;

/**
 * Recognises stack traces in texts that arrive one at a time, such as the lines of a stream or the
 * strings of an array. Whether a text is part of a trace depends on the texts before it.
 */
public final class StackTraceLines {

  /** Replaces a stack trace. */
  public static final String MARKER = SecretKind.STACK.marker().text();

  private Trace trace = new Trace("", new ScrubFindings());

  /** What a text is in a trace. */
  public enum Kind {
    /** Not part of a trace as a whole; it may still contain frames. */
    TEXT,
    /** The name of a function, if the next text is {@link #NAMED_FRAME}. */
    NAME,
    /** Part of a trace. */
    FRAME,
    /** Part of a trace, like the text before it. */
    NAMED_FRAME
  }

  /** Reads the next text, in time linear in its length. Blank texts change nothing. */
  public Kind next(String text) {
    boolean isNamed = !trace.isOpen() && trace.isAfterName();
    trace = trace.continuedIn(text);
    trace.addLines();
    if (text.isBlank()) {
      return Kind.TEXT;
    }
    if (trace.coversText()) {
      return isNamed && trace.isGo() ? Kind.NAMED_FRAME : Kind.FRAME;
    }
    return trace.isAfterName() ? Kind.NAME : Kind.TEXT;
  }

  /** Whether the trace may go on in the next text. */
  boolean isOpen() {
    return trace.isOpen() || trace.isAfterName();
  }
}
