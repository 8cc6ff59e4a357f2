package gatebook.api.flow;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A tree for the benchmark; its root is the last to run.
 *
 * @param rootId that of the first task
 * @param tasks the JSON of all tasks
 */
record BenchTree(String rootId, String tasks) {

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  /** The form of a tree: what its tasks depend on. */
  enum Form {
    /** The root depends on all others. */
    WIDE,
    /** One task, then all others, then the root. */
    DIAMOND,
    /** Each task depends on the one before it. */
    CHAIN
  }

  /** A tree with short ids, as existing clients send them. */
  static BenchTree of(Form form, int size) {
    int number = NUMBERS.incrementAndGet();
    return of(form, IntStream.range(0, size).mapToObj(task -> number + "-" + task).toList());
  }

  /** A tree with ids as the protocol wants them. */
  static BenchTree ofProtocol(Form form, int size) {
    return of(form, IntStream.range(0, size).mapToObj(_ -> UUID.randomUUID().toString()).toList());
  }

  private static BenchTree of(Form form, List<String> ids) {
    int size = ids.size();
    return new BenchTree(
        ids.getFirst(),
        IntStream.range(0, size)
            .mapToObj(number -> task(ids, number, form))
            .collect(Collectors.joining(",", "[", "]")));
  }

  private static String task(List<String> ids, int number, Form form) {
    return """
    {"id":"%s","name":"task %d"%s,"schemas":{"method":"echo"},"inputs":{"n":%d},"dependencies":[%s]}\
    """
        .formatted(
            ids.get(number),
            number,
            number == 0 ? "" : ",\"parent_id\":\"%s\"".formatted(ids.getFirst()),
            number,
            dependencies(number, ids.size() - 1, form)
                .mapToObj(dependency -> "{\"id\":\"%s\"}".formatted(ids.get(dependency)))
                .collect(Collectors.joining(",")));
  }

  private static IntStream dependencies(int number, int last, Form form) {
    return switch (form) {
      case WIDE -> number == 0 ? IntStream.rangeClosed(1, last) : IntStream.empty();
      case DIAMOND ->
          number == 0
              ? IntStream.range(1, last)
              : number == last ? IntStream.empty() : IntStream.of(last);
      case CHAIN -> number == last ? IntStream.empty() : IntStream.of(number + 1);
    };
  }
}
