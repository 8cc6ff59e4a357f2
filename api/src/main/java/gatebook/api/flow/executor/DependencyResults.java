package gatebook.api.flow.executor;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The results of the completed dependencies of one task, read on demand. */
@FunctionalInterface
public interface DependencyResults {

  /** Those of a task that depends on nothing. */
  DependencyResults NONE = _ -> CompletableFuture.completedFuture(Optional.of(Map.of()));

  /**
   * The JSON of each result by the id of its task, in the order of the dependencies; empty when
   * they have more than so many characters together.
   */
  CompletableFuture<Optional<Map<String, String>>> get(int charsMax);
}
