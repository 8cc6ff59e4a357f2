package gatebook.api.flow;

import java.util.Map;
import java.util.Optional;

/** Checks the fields of a task that say what its origin is. */
final class OriginFields {
  private static final String CREATE = "create";
  private static final Map<String, String> TYPES =
      Map.of(CREATE, CREATE, "link", "link", "copy", "copy", "archive", "archive");

  private OriginFields() {}

  /**
   * Checks that a task has a source exactly when its origin is one that has a source. Whether there
   * is such a task is not checked here.
   */
  static void check(CheckedMembers task, TaskFieldsReader ids) {
    Optional<String> type = task.word("origin_type", TYPES);
    ids.id(task, "original_task_id");
    boolean hasSource = task.has("original_task_id");
    boolean isCreated = type.orElse(CREATE).equals(CREATE);
    if (!isCreated && !hasSource) {
      task.add("original_task_id", CheckedMembers.MISSING, "the id of the source", null);
    }
    if (hasSource && !task.has("origin_type")) {
      task.add("origin_type", CheckedMembers.MISSING, "link, copy or archive", null);
    }
    if (hasSource && type.isPresent() && isCreated) {
      task.add("original_task_id", CheckedMembers.WRONG_VALUE, "null", null);
    }
  }
}
