package gatebook.query.trees;

import java.time.Instant;
import java.util.Optional;

/**
 * Finds the trees that have an id, with their tasks and the calls of each task. The result is a
 * {@link TreeQueries.FoundTrees}.
 *
 * @param id that of a tree, of one of its tasks, or of a call that ran a task
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 * @param asOf shows only what was recorded up to this time; everything when empty
 */
public record FindTrees(String id, long atLeast, Optional<Instant> asOf) {}
