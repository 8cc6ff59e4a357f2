package gatebook.api.upstream.http;

/**
 * Splits a stream of JSON values that each end their line. Counts brackets only and does not
 * validate the JSON.
 */
final class JsonLineSplitter {

  private int depth;
  private boolean inText;
  private boolean escaped;
  private boolean complete;
  private boolean lineEnded;
  private boolean lineEndsHere;
  private boolean invalid;

  /** Takes the next byte; true when it begins another value and the one before is complete. */
  boolean feed(byte next) {
    lineEndsHere = complete && !lineEnded && next == '\n';
    if (!complete) {
      feedValue(next);
      return false;
    }
    if (isBlank(next)) {
      lineEnded |= lineEndsHere;
      return false;
    }
    if (!lineEnded) {
      invalid = true; // two values on one line: not a sequence of lines
      return false;
    }
    restart();
    feedValue(next);
    return !invalid;
  }

  /** Whether the last byte ended the line of a complete value; true once for each value. */
  boolean hasEndedLine() {
    return lineEndsHere && !invalid;
  }

  /** Begins a new value. */
  void restart() {
    complete = false;
    lineEnded = false;
  }

  private void feedValue(byte next) {
    if (inText) {
      inText = escaped || next != '"';
      escaped = !escaped && next == '\\';
      return;
    }
    switch (next) {
      case '"' -> inText = true;
      case '{', '[' -> depth++;
      case '}', ']' -> {
        depth--;
        complete = depth == 0;
        invalid |= depth < 0;
      }
      default -> {
        // numbers, literals and separators
      }
    }
  }

  private static boolean isBlank(byte one) {
    return one == ' ' || one == '\t' || one == '\r' || one == '\n';
  }
}
