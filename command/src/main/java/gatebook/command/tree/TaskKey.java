package gatebook.command.tree;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.vocabulary.TreeTaskTag;
import java.util.UUID;

/** The key of a task of a tree: its owner and its id. Different owners may use the same ids. */
public record TaskKey(String owner, String taskId) {

  /** The id to which what is sealed of the task is bound. */
  public UUID sealId() {
    return UUID.nameUUIDFromBytes(TreeTaskTag.value(owner, taskId).getBytes(UTF_8));
  }
}
