package gatebook.api.upstream.process;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Finds the ids of answers in a line that is too large to be kept, or that is not one message: the
 * members {@code id} of its outermost objects, except of those with a {@code method}. Only ids of
 * this process are found, which are integers. Whichever of them such a line was meant for, none of
 * them gets a valid answer by it.
 */
final class UnreadableAnswerIds {

  private static final int ID_CHARS_MAX = 20;
  private static final int KEY_CHARS_MAX = 7;

  /** In one line; further ones are ignored. */
  private static final int IDS_MAX = 1_000;

  private final StringBuilder key = new StringBuilder();
  private final StringBuilder value = new StringBuilder();
  private final Set<String> ids = new LinkedHashSet<>();
  private final Set<String> idsOfObject = new LinkedHashSet<>();
  private int depth;
  private boolean inString;
  private boolean escaped;
  private boolean inId;
  private boolean isOver;
  private boolean isCall;

  /** The ids of the answers in one line. */
  static Set<String> in(byte[] line) {
    UnreadableAnswerIds unreadableAnswerIds = new UnreadableAnswerIds();
    unreadableAnswerIds.feed(line, 0, line.length);
    return unreadableAnswerIds.ids();
  }

  /** The ids that were read, also in an object that has not ended. */
  Set<String> ids() {
    endObject();
    return Set.copyOf(ids);
  }

  void feed(byte[] bytes, int from, int to) {
    for (int i = from; i < to && !isOver; i++) {
      feed((char) bytes[i]);
    }
  }

  private void feed(char c) {
    if (inString) {
      feedString(c);
    } else if (depth > 0) {
      feedStructure(c);
    } else {
      feedOutside(c);
    }
  }

  /** Between objects, as in a batch; any other text is no message, whatever it quotes. */
  private void feedOutside(char c) {
    if (c == '{') {
      depth = 1;
    } else {
      isOver = c > ' ' && c != '[' && c != ',' && c != ']';
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
      case '}', ']' -> {
        endMember();
        depth--;
        if (depth == 0) {
          endObject();
        }
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
      if (found.matches("\\d+") && idsOfObject.size() < IDS_MAX) {
        idsOfObject.add(found);
      }
      value.setLength(0);
      inId = false;
    }
  }

  private void endObject() {
    if (!isCall && ids.size() < IDS_MAX) {
      ids.addAll(idsOfObject);
    }
    idsOfObject.clear();
    isCall = false;
  }
}
