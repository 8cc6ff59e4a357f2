package gatebook.command.tree;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a task of a tree, as far as it binds the task: whether it is a link or an archive,
 * and what was made from it.
 *
 * @param original the task whose result a link shows; absent for a task that is no link
 * @param archived whether the task never changes again
 * @param referenced whether another task was copied from it or linked to it
 * @param linked whether links show its result
 */
public record TaskOrigin(
    @Nullable Original original, boolean archived, boolean referenced, boolean linked) {

  /** The origin of a task that is no link, and from which nothing was made. */
  public static final TaskOrigin OWN = new TaskOrigin(null, false, false, false);

  /** The reason why an archive is not changed. */
  static final String ARCHIVED = "An archive cannot be changed";

  /** The original of a link: a task of the same owner that is no link. */
  public record Original(UUID treeId, String taskId) {}

  public boolean isLink() {
    return original != null;
  }

  TaskOrigin linkTo(Original task) {
    return new TaskOrigin(task, archived, referenced, linked);
  }

  TaskOrigin archive() {
    return new TaskOrigin(original, true, referenced, linked);
  }

  TaskOrigin reference(boolean byLink) {
    return new TaskOrigin(original, archived, true, linked || byLink);
  }
}
