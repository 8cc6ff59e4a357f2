package gatebook.api.flow.read;

import gatebook.api.rpc.CheckedMembers;
import gatebook.api.rpc.RequestMember;
import java.util.Optional;
import java.util.Set;

/** Checks the fields of a task that say what its origin is. */
final class OriginFields {
  private static final String CREATE = "create";
  private static final Set<String> MADE_ELSEWHERE = Set.of("link", "archive");

  private OriginFields() {}

  /**
   * Checks that a task is neither a link nor an archive, which owners cannot write, and that it has
   * a source exactly when its origin needs one. Does not check that the source exists.
   */
  static void check(CheckedMembers task, RequestMember source) {
    Optional<String> type = task.text(TaskMembers.ORIGIN_TYPE);
    if (type.filter(MADE_ELSEWHERE::contains).isPresent()) {
      task.add(
          TaskMembers.ORIGIN_TYPE, "Links and archives are made by tasks.clone", "create or copy");
      return;
    }
    boolean hasSource = task.has(source);
    boolean isCreated = type.orElse(CREATE).equals(CREATE);
    if (!isCreated) {
      task.require(source, "the id of the source");
    }
    if (hasSource) {
      task.require(TaskMembers.ORIGIN_TYPE, "copy");
    }
    if (hasSource && type.isPresent() && isCreated) {
      task.add(source, CheckedMembers.WRONG_VALUE, "null");
    }
  }
}
