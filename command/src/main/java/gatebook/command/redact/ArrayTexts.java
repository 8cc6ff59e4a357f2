package gatebook.command.redact;

import com.fasterxml.jackson.core.JsonGenerator;
import gatebook.command.redact.StackTraceLines.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The strings of a JSON array, which may be the lines of a stack trace. Each one is written when
 * the next token is known. Lines are compared only from a string on in which a secret was found, as
 * in one line of every trace.
 */
final class ArrayTexts {

  private @Nullable StackTraceLines stackTraceLines;
  private @Nullable String last;
  private String lastScrubbed = "";

  void add(String text, String scrubbed, JsonGenerator generator) throws IOException {
    Kind kind = kind(text, scrubbed);
    if (kind == Kind.NAMED_FRAME) {
      lastScrubbed = StackTraceLines.MARKER;
    }
    writeLast(generator);
    last = text;
    lastScrubbed =
        switch (kind) {
          case TEXT, NAME -> scrubbed;
          case FRAME, NAMED_FRAME -> StackTraceLines.MARKER;
        };
  }

  /** Another token than a string follows. */
  void end(JsonGenerator generator) throws IOException {
    writeLast(generator);
    last = null;
    stackTraceLines = null;
  }

  private Kind kind(String text, String scrubbed) {
    StackTraceLines lines = stackTraceLines;
    if (lines == null) {
      if (scrubbed.equals(text)) {
        return Kind.TEXT;
      }
      lines = new StackTraceLines();
      if (last != null) {
        Kind _ = lines.next(last);
      }
    }
    Kind kind = lines.next(text);
    stackTraceLines = lines.isOpen() ? lines : null;
    return kind;
  }

  private void writeLast(JsonGenerator generator) throws IOException {
    if (last != null) {
      generator.writeString(TextEnds.wellFormed(lastScrubbed));
    }
  }
}
