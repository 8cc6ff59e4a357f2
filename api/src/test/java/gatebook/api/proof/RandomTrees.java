package gatebook.api.proof;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Random trees of tasks, as JSON for {@code tasks.execute}: wide, chains, diamonds and others. */
final class RandomTrees {
  private static final int TASKS_MAX = 20;
  private static final List<String> ANY_EXECUTORS =
      List.of(
          "read", "read", "read", "read", "fail", "delete_all", "aggregate_results_executor", "");

  private final SplittableRandom random;

  RandomTrees(SplittableRandom random) {
    this.random = random;
  }

  /** A tree: the ids of its tasks, that of the root first, and the JSON of the tasks. */
  record RandomTree(List<String> ids, String json) {
    String root() {
      return ids.getFirst();
    }
  }

  /** The shapes; the root is always the last to run. */
  private enum Shape {
    WIDE,
    CHAIN,
    DIAMOND,
    ANY
  }

  RandomTree next() {
    List<String> ids =
        IntStream.rangeClosed(0, 3 + random.nextInt(TASKS_MAX)).mapToObj(_ -> id()).toList();
    Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
    return new RandomTree(
        ids,
        IntStream.range(0, ids.size())
            .mapToObj(number -> task(ids, number, shape))
            .collect(joining(",", "[", "]")));
  }

  private String id() {
    long version = (random.nextLong() & ~0xF000L) | 0x4000L;
    long variant = (random.nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(version, variant).toString();
  }

  private String task(List<String> ids, int number, Shape shape) {
    int parent =
        switch (shape) {
          case WIDE, CHAIN, DIAMOND -> 0;
          case ANY -> number == 0 ? 0 : random.nextInt(number);
        };
    return task(
        ids.get(number),
        number == 0 ? null : ids.get(parent),
        executor(number, shape),
        dependencies(number, ids.size() - 1, shape).stream().map(ids::get).toList(),
        shape == Shape.ANY);
  }

  private String executor(int number, Shape shape) {
    return shape == Shape.ANY
        ? ANY_EXECUTORS.get(random.nextInt(ANY_EXECUTORS.size()))
        : number == 0 ? "aggregate_results_executor" : "read";
  }

  /** A task depends on tasks with a larger number only, so there is no cycle. */
  private List<Integer> dependencies(int number, int last, Shape shape) {
    return switch (shape) {
      case WIDE -> number == 0 ? IntStream.rangeClosed(1, last).boxed().toList() : List.of();
      case CHAIN -> number == last ? List.of() : List.of(number + 1);
      case DIAMOND ->
          number == 0
              ? IntStream.range(1, last).boxed().toList()
              : number == last ? List.of() : List.of(last);
      case ANY ->
          random
              .ints(random.nextInt(4), number, last + 1)
              .filter(dependency -> dependency > number)
              .distinct()
              .boxed()
              .toList();
    };
  }

  private String task(
      String id,
      @Nullable String parent,
      String executor,
      List<String> dependencies,
      boolean mayBeOptional) {
    List<String> members = new ArrayList<>();
    members.add("\"id\":\"%s\",\"name\":\"%s\"".formatted(id, id));
    members.add("\"priority\":%d".formatted(random.nextInt(4)));
    if (parent != null) {
      members.add("\"parent_id\":\"%s\"".formatted(parent));
    }
    if (!executor.isEmpty()) {
      members.add("\"schemas\":{\"method\":\"%s\"}".formatted(executor));
    }
    members.add(
        dependencies.stream()
            .map(dependency ->
                "{\"id\":\"%s\",\"required\":%b}"
                    .formatted(dependency, !mayBeOptional || random.nextInt(4) > 0))
            .collect(joining(",", "\"dependencies\":[", "]")));
    members.add("\"inputs\":{\"marker\":\"%s\"}".formatted(id));
    return "{" + String.join(",", members) + "}";
  }
}
