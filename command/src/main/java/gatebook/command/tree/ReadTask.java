package gatebook.command.tree;

import org.jspecify.annotations.Nullable;

/**
 * A task of a tree as its owner reads it.
 *
 * @param definition the JSON of the whole task as it was given; absent when it cannot be unsealed
 * @param result the JSON of its result; absent unless it is completed
 */
public record ReadTask(TreeTask task, @Nullable String definition, @Nullable String result) {

  /** The task's own id. */
  public String id() {
    return task.id();
  }

  /** The same without its result, which may be large. */
  public ReadTask withoutResult() {
    return result == null && task.result() == null
        ? this
        : new ReadTask(task.withoutResult(), definition, null);
  }
}
