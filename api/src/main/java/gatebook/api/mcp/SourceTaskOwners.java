package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.mcp.McpParams;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The owners of tasks that sources created: the caller and the source, of the most recently used
 * tasks. To a source all callers are one, so only Gatebook can keep callers from the tasks of
 * others.
 *
 * <p>The data exists in this process only and is lost when it ends.
 */
final class SourceTaskOwners {

  private static final String ID = "taskId";
  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  /** The source of each task; empty when two sources use the same task id. */
  private final SequencedMap<Key, Optional<String>> sources =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

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
  synchronized void add(String principal, String taskId, String source, int most) {
    if (taskId.length() <= McpParams.NAME_CHARS_MAX) {
      sources.merge(
          new Key(principal, taskId),
          Optional.of(source),
          (one, other) -> one.equals(other) ? one : Optional.empty());
      while (sources.size() > most) {
        sources.pollFirstEntry();
      }
    }
  }

  /** The source of a task; empty when it is unknown or belongs to another caller. */
  synchronized Optional<String> source(String principal, String taskId) {
    Optional<String> source = sources.get(new Key(principal, taskId));
    return source == null ? Optional.empty() : source;
  }

  /** Whether a task belongs to this caller and this source. */
  boolean isOf(String principal, String taskId, String source) {
    return source(principal, taskId).filter(source::equals).isPresent();
  }
}
