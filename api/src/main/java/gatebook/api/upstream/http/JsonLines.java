package gatebook.api.upstream.http;

/**
 * Finds the places between JSON values of which each is on lines of its own. It counts brackets and
 * nothing else; whether something is JSON is for others to say.
 */
final class JsonLines {

  private int depth;
  private boolean inText;
  private boolean escaped;
  private boolean whole;
  private boolean lineEnded;
  private boolean others;

  /** Whether the byte begins another value, and what came before it is a whole one. */
  boolean beginsAnother(byte next) {
    if (!whole) {
      inside(next);
      return false;
    }
    if (isBlank(next)) {
      lineEnded |= next == '\n';
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

  /** Whether what came is a whole value, and its line has ended. */
  boolean isWhole() {
    return whole && lineEnded && !others;
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
