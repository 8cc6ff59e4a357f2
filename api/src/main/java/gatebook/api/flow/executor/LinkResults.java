package gatebook.api.flow.executor;

import gatebook.api.upstream.FutureList;
import gatebook.command.rules.Rules;
import gatebook.command.tree.GetTree;
import gatebook.command.tree.GetTreeTask;
import gatebook.command.tree.ReadTask;
import gatebook.command.tree.TaskKey;
import gatebook.command.tree.TaskOrigin.Original;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads the results of links: those that their originals have now. */
public final class LinkResults {
  /** The most tasks of one tree that are read one by one; for more, the whole tree is read. */
  private static final int SINGLE_READS_MAX = 16;

  private LinkResults() {}

  /** Sends queries under the rules that they are given. */
  @FunctionalInterface
  public interface Queries {
    <R> CompletableFuture<R> send(Function<Rules, Object> query, Class<R> answer);
  }

  /** The tasks of one owner, the links among them with the results of their originals. */
  public static CompletableFuture<List<ReadTask>> with(List<ReadTask> tasks, Queries queries) {
    return read(originals(tasks), queries)
        .thenApply(byKey -> tasks.stream().map(task -> with(task, byKey)).toList());
  }

  /** Reads tasks, given their trees; it may read others of these, too. */
  public static CompletableFuture<Map<TaskKey, ReadTask>> read(
      Map<UUID, Set<TaskKey>> byTree, Queries queries) {
    return FutureList.all(
            byTree.entrySet().stream()
                .map(tree -> read(tree.getKey(), tree.getValue(), queries))
                .toList())
        .thenApply(read -> {
          Map<TaskKey, ReadTask> byKey = new HashMap<>();
          read.forEach(found -> found.forEach(it -> byKey.put(it.task().key(), it)));
          return byKey;
        });
  }

  private static Map<UUID, Set<TaskKey>> originals(List<ReadTask> tasks) {
    Map<UUID, Set<TaskKey>> originals = new HashMap<>();
    for (ReadTask task : tasks) {
      Original original = task.task().origin().original();
      if (original != null) {
        originals
            .computeIfAbsent(original.treeId(), _ -> new LinkedHashSet<>())
            .add(new TaskKey(task.task().key().owner(), original.taskId()));
      }
    }
    return originals;
  }

  private static CompletableFuture<List<ReadTask>> read(
      UUID treeId, Set<TaskKey> keys, Queries queries) {
    if (keys.size() <= SINGLE_READS_MAX) {
      return FutureList.all(keys.stream().map(key -> read(key, queries)).toList())
          .thenApply(found -> found.stream().flatMap(it -> it).toList());
    }
    String owner = keys.iterator().next().owner();
    return queries
        .send(rules -> new GetTree(treeId, owner, rules.hash()), GetTree.Result.class)
        .thenApply(GetTree.Result::tasks);
  }

  private static CompletableFuture<Stream<ReadTask>> read(TaskKey key, Queries queries) {
    return queries
        .send(rules -> new GetTreeTask(key, rules.hash()), GetTreeTask.Result.class)
        .thenApply(result -> result.task().stream());
  }

  private static ReadTask with(ReadTask task, Map<TaskKey, ReadTask> originals) {
    Original original = task.task().origin().original();
    if (original == null) {
      return task;
    }
    ReadTask read = originals.get(new TaskKey(task.task().key().owner(), original.taskId()));
    return read == null ? task : new ReadTask(task.task(), task.definition(), read.result());
  }
}
