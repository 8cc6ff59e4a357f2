package gatebook.api.flow.run;

import gatebook.api.flow.executor.DependencyResults;
import gatebook.api.upstream.FutureList;
import gatebook.events.tree.TaskDependency;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The results of one tree that runs. Those for which there is memory are kept until the execution
 * ends; the others are read when a task needs them.
 */
final class TreeResults {
  /** So many results are read at the same time for one task. */
  private static final int READS_MAX = 16;

  private final Function<String, CompletableFuture<Optional<String>>> reading;
  private final ResultMemory resultMemory;
  private final Map<String, String> kept = new HashMap<>();
  private boolean closed;

  /**
   * @param reading reads the result of a task by its id; empty when it has none
   */
  TreeResults(
      ResultMemory resultMemory, Function<String, CompletableFuture<Optional<String>>> reading) {
    this.reading = reading;
    this.resultMemory = resultMemory;
  }

  /** A task was completed with this result. */
  synchronized void add(String taskId, String json) {
    if (!closed && !kept.containsKey(taskId) && resultMemory.take(json.length())) {
      kept.put(taskId, json);
    }
  }

  /** The execution has ended: nothing is kept any more. */
  synchronized void close() {
    closed = true;
    resultMemory.release(kept.values().stream().mapToLong(String::length).sum());
    kept.clear();
  }

  /** The results of what a task depends on, as far as that is completed when they are got. */
  DependencyResults of(List<TaskDependency> dependencies) {
    List<String> ids = dependencies.stream().map(TaskDependency::id).toList();
    return charsMax -> new PartialResults(ids, charsMax).from(0);
  }

  private synchronized @Nullable String kept(String taskId) {
    return kept.get(taskId);
  }

  /** Collects the results of some tasks, a few at a time, until they are too large. */
  private final class PartialResults {
    private final List<String> ids;
    private final Map<String, String> collected = new LinkedHashMap<>();
    private long charsLeft;

    PartialResults(List<String> ids, int charsMax) {
      this.ids = ids;
      this.charsLeft = charsMax;
    }

    CompletableFuture<Optional<Map<String, String>>> from(int first) {
      int next = first;
      while (charsLeft >= 0 && next < ids.size()) {
        String id = ids.get(next);
        String result = kept(id);
        if (result == null) {
          return readFrom(next);
        }
        add(id, result);
        next++;
      }
      return CompletableFuture.completedFuture(
          charsLeft < 0 ? Optional.empty() : Optional.of(collected));
    }

    private CompletableFuture<Optional<Map<String, String>>> readFrom(int first) {
      int end = Math.min(first + READS_MAX, ids.size());
      return FutureList.all(ids.subList(first, end).stream().map(this::result).toList())
          .thenCompose(results -> {
            for (int read = 0; read < results.size(); read++) {
              String id = ids.get(first + read);
              results.get(read).ifPresent(result -> add(id, result));
            }
            return from(end);
          });
    }

    private CompletableFuture<Optional<String>> result(String id) {
      String result = kept(id);
      return result == null
          ? reading.apply(id)
          : CompletableFuture.completedFuture(Optional.of(result));
    }

    private void add(String id, String result) {
      collected.put(id, result);
      charsLeft -= result.length();
    }
  }
}
