package gatebook.api.flow.read;

import gatebook.api.rpc.CheckedMembers;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the fields of a task that say what its origin is. */
final class OriginFields {
  private static final String CREATE = "create";
  private static final Map<String, String> TYPES =
      Map.of(CREATE, CREATE, "link", "link", "copy", "copy", "archive", "archive");

  private static final Set<String> MADE_ELSEWHERE = Set.of("link", "archive");

  private OriginFields() {}

  /**
   * Checks that a task is neither a link nor an archive, which owners cannot write, and that it has
   * a source exactly when its origin needs one. Does not check that the source exists.
   */
  static void check(CheckedMembers task, TaskFieldsReader ids) {
    Optional<String> type = task.word("origin_type", TYPES);
    if (type.filter(MADE_ELSEWHERE::contains).isPresent()) {
      task.add("origin_type", "Links and archives are made by tasks.clone", "create or copy", null);
      return;
    }
    ids.id(task, "original_task_id");
    boolean hasSource = task.has("original_task_id");
    boolean isCreated = type.orElse(CREATE).equals(CREATE);
    if (!isCreated && !hasSource) {
      task.add("original_task_id", CheckedMembers.MISSING, "the id of the source", null);
    }
    if (hasSource && !task.has("origin_type")) {
      task.add("origin_type", CheckedMembers.MISSING, "copy", null);
    }
    if (hasSource && type.isPresent() && isCreated) {
      task.add("original_task_id", CheckedMembers.WRONG_VALUE, "null", null);
    }
  }
}
