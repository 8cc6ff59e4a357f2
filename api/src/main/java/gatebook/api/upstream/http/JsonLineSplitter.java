package gatebook.api.upstream.http;

/**
 * Finds the places between JSON values of which each is on lines of its own. It counts brackets and
 * nothing else; whether something is JSON is for others to say.
 */
final class JsonLineSplitter {

  private int depth;
  private boolean inText;
  private boolean escaped;
  private boolean whole;
  private boolean lineEnded;
  private boolean lineEndsHere;
  private boolean others;

  /** Whether the byte begins another value, and what came before it is a whole one. */
  boolean beginsAnother(byte next) {
    lineEndsHere = whole && !lineEnded && next == '\n';
    if (!whole) {
      inside(next);
      return false;
    }
    if (isBlank(next)) {
      lineEnded |= lineEndsHere;
      return false;
    }
    if (!lineEnded) {
      others = true; // two values on one line, which nobody sends
      return false;
    }
    restart();
    inside(next);
    return !others;
  }

  /** Whether the byte that was looked at last ends the line of a whole value; once for each. */
  boolean hasEndedLine() {
    return lineEndsHere && !others;
  }

  /** Goes on with nothing read. */
  void restart() {
    whole = false;
    lineEnded = false;
  }

  private void inside(byte next) {
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
        whole = depth == 0;
        others |= depth < 0;
      }
      default -> {
        // numbers, words, and what separates members
      }
    }
  }

  private static boolean isBlank(byte one) {
    return one == ' ' || one == '\t' || one == '\r' || one == '\n';
  }
}
