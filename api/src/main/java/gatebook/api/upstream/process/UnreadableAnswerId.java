package gatebook.api.upstream.process;

import org.jspecify.annotations.Nullable;

/**
 * Finds the id of an answer that is too large to be kept, or that a parser cannot read to its end:
 * the member {@code id} of the outermost object, if that has no {@code method}. Only ids of this
 * process are found, which are integers.
 */
final class UnreadableAnswerId {

  private static final int ID_CHARS_MAX = 20;
  private static final int KEY_CHARS_MAX = 7;

  private final StringBuilder key = new StringBuilder();
  private final StringBuilder value = new StringBuilder();
  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean inId;
  private boolean isObject;
  private boolean isOver;
  private boolean isCall;
  private @Nullable String id;

  /** The id of an answer in one line. */
  static @Nullable String in(byte[] line) {
    UnreadableAnswerId unreadableAnswerId = new UnreadableAnswerId();
    unreadableAnswerId.feed(line, 0, line.length);
    return unreadableAnswerId.id();
  }

  /** The id that was read; absent when there is none or more than one, or in a call. */
  @Nullable String id() {
    return isCall ? null : id;
  }

  void feed(byte[] bytes, int from, int to) {
    for (int i = from; i < to && !isOver; i++) {
      feed((char) bytes[i]);
    }
  }

  private void feed(char c) {
    if (inString) {
      feedString(c);
    } else if (isObject) {
      feedStructure(c);
    } else if (c > ' ') {
      feedStart(c);
    }
  }

  /** A line that does not start as an object is no message, whatever it quotes. */
  private void feedStart(char c) {
    isObject = c == '{';
    isOver = !isObject;
    depth = 1;
  }

  private void feedString(char c) {
    if (escaped) {
      escaped = false;
    } else if (c == '\\') {
      escaped = true;
    } else if (c == '"') {
      inString = false;
    } else if (depth == 1 && key.length() < KEY_CHARS_MAX) {
      key.append(c);
    }
  }

  private void feedStructure(char c) {
    switch (c) {
      case '"' -> {
        inString = true;
        key.setLength(0);
      }
      case '{', '[' -> depth++;
      case '}', ']' -> {
        endMember();
        depth--;
        isOver |= depth == 0;
      }
      case ':' -> startValue();
      case ',' -> endMember();
      default -> feedValue(c);
    }
  }

  private void startValue() {
    inId |= depth == 1 && key.toString().equals("id");
    isCall |= depth == 1 && key.toString().equals("method");
  }

  private void feedValue(char c) {
    if (inId && depth == 1 && value.length() < ID_CHARS_MAX) {
      value.append(c);
    }
  }

  private void endMember() {
    if (inId && depth == 1) {
      String found = value.toString().strip();
      boolean isSecond = id != null && !id.equals(found);
      id = isSecond || !found.matches("\\d+") ? null : found;
      isOver |= isSecond;
      value.setLength(0);
      inId = false;
    }
  }
}
