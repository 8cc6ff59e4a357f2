package gatebook.api.mcp;

import gatebook.api.gateway.RecentEntries;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpParams;
import java.util.Optional;

/**
 * The owners of tasks that sources created: the caller and the source, of the most recently used
 * tasks. To a source all callers are one, so only Gatebook can keep callers from the tasks of
 * others.
 */
final class SourceTaskOwners {

  private static final String ID = "taskId";

  /** The source of each task; empty when two sources use the same task id. */
  private final RecentEntries<Key, Optional<String>> sources = new RecentEntries<>();

  private record Key(String principal, String taskId) {}

  /** The id of the task that a call created, in the older and in the stateless revisions. */
  static Optional<String> createdTask(Ended ended) {
    // a result may be large, and few results are parsed otherwise
    if (!(ended instanceof Ended.Result(var json, _, _)) || !json.contains(ID)) {
      return Optional.empty();
    }
    ObjectMembers result = ObjectMembers.of(json);
    return result.text("resultType").filter("task"::equals).isPresent()
        ? result.text(ID)
        : result.members("task").text(ID);
  }

  /** Remembers the source of a task of a caller; keeps the {@code most} most recently used. */
  void add(String principal, String taskId, String source, int most) {
    if (taskId.length() <= McpParams.NAME_CHARS_MAX) {
      var _ =
          sources.add(
              new Key(principal, taskId),
              Optional.of(source),
              (one, other) -> one.equals(other) ? one : Optional.empty(),
              most);
    }
  }

  /** The source of a task; empty when it is unknown or belongs to another caller. */
  Optional<String> source(String principal, String taskId) {
    return sources.find(new Key(principal, taskId)).flatMap(it -> it);
  }

  /** Whether a task belongs to this caller and this source. */
  boolean isOf(String principal, String taskId, String source) {
    return source(principal, taskId).filter(source::equals).isPresent();
  }
}
