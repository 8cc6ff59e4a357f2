package gatebook.api.upstream.process;

import org.jspecify.annotations.Nullable;

/**
 * Finds the id of an oversize message, which is read but not kept: the member {@code id} of the
 * outermost object. Only ids of this process count, which are integers.
 */
final class OversizeMessageId {

  private static final int DIGITS_MAX = 19;
  private static final int KEY_CHARS_MAX = 3;

  private final StringBuilder key = new StringBuilder();
  private final StringBuilder digits = new StringBuilder();
  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean inId;

  /** The digits of the id that were read so far; absent when there are none. */
  @Nullable String id() {
    return digits.isEmpty() ? null : digits.toString();
  }

  void feed(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      feed((char) bytes[i]);
    }
  }

  private void feed(char c) {
    if (inString) {
      feedString(c);
    } else {
      feedStructure(c);
    }
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
      case '}', ']' -> depth--;
      case ':' -> inId = depth == 1 && key.toString().equals("id");
      case ',' -> inId = false;
      default -> feedNumber(c);
    }
  }

  private void feedNumber(char c) {
    if (inId && depth == 1 && c >= '0' && c <= '9' && digits.length() < DIGITS_MAX) {
      digits.append(c);
    }
  }
}
