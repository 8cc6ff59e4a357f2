package gatebook.api.mcp;

import gatebook.api.rpc.ObjectMembers;
import gatebook.api.upstream.Upstream.Ended;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Which source made which task, and for whom: of the tasks of which there was talk last. To a
 * source all callers are one, so that nobody but us can keep one from another's tasks.
 *
 * <p>It is known in this process only, and as long as that lasts.
 */
final class SourceTaskOwners {

  private static final String ID = "taskId";
  private static final int FEW = 16;
  private static final float LOAD = 0.75f;

  /** By task: the source; none when two sources call different tasks so. */
  private final SequencedMap<Key, Optional<String>> sources = new LinkedHashMap<>(FEW, LOAD, true);

  private record Key(String principal, String taskId) {}

  /** The id of the task that a call ended in, in the words of either era. */
  static Optional<String> made(Ended ended) {
    // a result may be large, and hardly one is read but for this
    if (!(ended instanceof Ended.Result(var json, _, _)) || !json.contains(ID)) {
      return Optional.empty();
    }
    ObjectMembers result = ObjectMembers.of(json);
    return result.text("resultType").filter("task"::equals).isPresent()
        ? result.text(ID)
        : result.members("task").text(ID);
  }

  /** Remembers that a source made a task for somebody; of more than {@code most} the last. */
  synchronized void add(String principal, String taskId, String source, int most) {
    if (taskId.length() <= GovernedTargets.NAME_CHARS_MAX) {
      sources.merge(
          new Key(principal, taskId),
          Optional.of(source),
          (one, other) -> one.equals(other) ? one : Optional.empty());
      while (sources.size() > most) {
        sources.pollFirstEntry();
      }
    }
  }

  /**
   * The id of the source that made a task for somebody; none when nobody knows, or it is not his.
   */
  synchronized Optional<String> source(String principal, String taskId) {
    Optional<String> source = sources.get(new Key(principal, taskId));
    return source == null ? Optional.empty() : source;
  }

  /** Whether a task is his, and this source's. */
  boolean isOf(String principal, String taskId, String source) {
    return source(principal, taskId).filter(source::equals).isPresent();
  }
}
