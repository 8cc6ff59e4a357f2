package gatebook.api.a2a.message;

import gatebook.api.rpc.MemberSearch;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ids of tasks and contexts that a request names, wherever in its params: agents take ids not
 * only from where the protocol has them.
 */
public record NamedIds(Set<String> taskIds, Set<String> contextIds) {
  public static final Set<String> OF_CONTEXTS = Set.of("contextId", "context_id");

  /** The members that have ids. */
  public static final Set<String> ALL =
      Set.of(
          "taskId", "task_id", "referenceTaskIds", "reference_task_ids", "contextId", "context_id");

  /** The ids in params; none where there are none. */
  public static NamedIds of(@Nullable String params) {
    NamedIds ids = new NamedIds(new LinkedHashSet<>(), new LinkedHashSet<>());
    if (params != null) {
      MemberSearch.forEach(params, ALL, ids::add);
    }
    return ids;
  }

  /** Whether a member that has ids has those of contexts. */
  public static boolean isOfContext(String member) {
    return OF_CONTEXTS.contains(member);
  }

  private void add(String member, String id) {
    if (!id.isEmpty()) {
      (isOfContext(member) ? contextIds : taskIds).add(id);
    }
  }

  public int count() {
    return taskIds.size() + contextIds.size();
  }
}
