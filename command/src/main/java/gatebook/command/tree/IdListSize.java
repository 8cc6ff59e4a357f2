package gatebook.command.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/**
 * The size of a list of ids in a fault: it is recorded twice in one event, in the fault and in the
 * error response.
 */
public final class IdListSize {
  /** Room for 10,000 ids of 36 characters. */
  static final int BYTES_MAX = 400_000;

  private static final int SEPARATOR_BYTES = "\"\",".length();
  private static final int ESCAPE_BYTES = "\\u0000".length();

  private IdListSize() {}

  /** The first ids, as many as have room. */
  public static List<String> limited(List<String> ids) {
    List<String> limited = new ArrayList<>();
    long bytes = 0;
    for (String id : ids) {
      bytes += jsonBytes(id) + SEPARATOR_BYTES;
      if (bytes > BYTES_MAX) {
        return limited;
      }
      limited.add(id);
    }
    return limited;
  }

  /** The bytes of a text in JSON, at most. */
  static long jsonBytes(String text) {
    long escaped =
        text.chars().map(c -> c < ' ' ? ESCAPE_BYTES - 1 : c == '"' || c == '\\' ? 1 : 0).sum();
    return text.getBytes(UTF_8).length + escaped;
  }
}
