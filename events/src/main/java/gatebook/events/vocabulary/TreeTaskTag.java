package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.util.HexFormat;
import java.util.UUID;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The tag of a tree's task: it names the owner and the task by their hash, since callers choose ids
 * of any length and of characters that no index keeps.
 */
public final class TreeTaskTag {
  public static final String KEY = "tree-task";

  private TreeTaskTag() {}

  public static Tag of(String owner, String taskId) {
    return new Tag(KEY, value(owner, taskId));
  }

  /** The id of a task by which its texts were sealed before there were content keys. */
  static UUID id(String owner, String taskId) {
    return UUID.nameUUIDFromBytes(value(owner, taskId).getBytes(UTF_8));
  }

  /** The length keeps apart what could be one name with a part of the other. */
  public static String value(String owner, String taskId) {
    String pair = "%d:%s:%s".formatted(owner.length(), owner, taskId);
    return HexFormat.of().formatHex(Sha256.of(pair.getBytes(UTF_8)));
  }
}
