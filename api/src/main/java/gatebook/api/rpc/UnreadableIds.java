package gatebook.api.rpc;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ids in a line that is too large to be kept, or that is not one message: the members
 * {@code id} of its outermost objects. In answers it finds only the ids of this process, which are
 * integers; none of their requests gets a valid answer from such a line. In a request it finds an
 * integer or a string, if the line has no other id.
 */
public final class UnreadableIds {

  private static final int ID_CHARS_MAX = 130;
  private static final Pattern REQUEST_ID = Pattern.compile("-?\\d{1,20}|\"[^\"\\\\]{0,128}\"");
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
  private @Nullable String anyId;
  private int idsSeen;
  private boolean hasMethod;

  /** The ids of the answers in one line. */
  public static Set<String> in(byte[] line) {
    UnreadableIds unreadableIds = new UnreadableIds();
    unreadableIds.feed(line, 0, line.length);
    return unreadableIds.ids();
  }

  /** The ids that were read, also in an object that has not ended. */
  public Set<String> ids() {
    endObject();
    return Set.copyOf(ids);
  }

  /** The token of the id of the one request in the line; absent when it has none. */
  public @Nullable String requestId() {
    String id = anyId;
    return hasMethod && idsSeen == 1 && id != null && REQUEST_ID.matcher(id).matches() ? id : null;
  }

  public void feed(byte[] bytes, int from, int to) {
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
    if (inId && depth == 1) {
      append(c);
    }
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
        feedValue(c);
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
    hasMethod |= isCall;
  }

  private void feedValue(char c) {
    if (inId && depth == 1) {
      append(c);
    }
  }

  private void append(char c) {
    if (value.length() < ID_CHARS_MAX) {
      value.append(c);
    }
  }

  private void endMember() {
    if (inId && depth == 1) {
      String found = value.toString().strip();
      anyId = found;
      idsSeen++;
      if (found.matches("\\d{1,20}") && idsOfObject.size() < IDS_MAX) {
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
