package gatebook.query.trees;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds the trees that have an id, with their tasks and the calls of each task. The result is a
 * {@link TreeQueries.FoundTrees}.
 *
 * @param id that of a tree, of one of its tasks, or of a call that created it, executed it or ran a
 *     task
 * @param calls that have the id: the trees that they created, executed or ran a task of are found,
 *     too
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 * @param asOf shows only what was recorded up to this time; everything when empty
 */
public record FindTrees(String id, List<UUID> calls, long atLeast, Optional<Instant> asOf) {
  public FindTrees {
    calls = List.copyOf(calls);
  }
}
