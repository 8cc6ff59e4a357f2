package gatebook.api.bench;

import gatebook.events.journal.bench.Spread;
import gatebook.events.journal.bench.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The samples of all rounds, and the tables made from them. */
final class Rounds {
  private record SampleKey(String subject, int connections) {}

  private final Map<SampleKey, List<Sample>> samples = new HashMap<>();
  private final List<Integer> connections;

  /**
   * @param connections how many are open at once, in turn
   */
  Rounds(List<Integer> connections) {
    this.connections = List.copyOf(connections);
  }

  List<Integer> connections() {
    return connections;
  }

  void add(Subject subject, int connections, Sample sample) {
    samples
        .computeIfAbsent(new SampleKey(subject.name(), connections), _ -> new ArrayList<>())
        .add(sample);
  }

  Table perSecond(List<Subject> subjects) {
    return table("answers a second", subjects, (of, n) -> spread(of, n, Sample::perSecond).text(0));
  }

  Table latencies(List<Subject> subjects) {
    return table(
        "p50 / p99, ms",
        subjects,
        (of, n) ->
            "%.2f / %.2f"
                .formatted(median(of, n, Sample::p50Millis), median(of, n, Sample::p99Millis)));
  }

  private interface Cell {
    String of(Subject subject, int connections);
  }

  private Table table(String what, List<Subject> subjects, Cell cell) {
    Table table =
        new Table(
            row(
                what,
                connections.stream()
                    .map(n -> n == 1 ? "1 connection" : n + " connections")
                    .toList()));
    for (Subject subject : subjects) {
      table.add(row(subject.name(), connections.stream().map(n -> cell.of(subject, n)).toList()));
    }
    return table;
  }

  private static String[] row(String head, List<String> cells) {
    List<String> row = new ArrayList<>(cells);
    row.addFirst(head);
    return row.toArray(String[]::new);
  }

  double median(Subject subject, int connections, ToDoubleFunction<Sample> figure) {
    return spread(subject, connections, figure).median();
  }

  private Spread spread(Subject subject, int connections, ToDoubleFunction<Sample> figure) {
    return Spread.of(
        samples.getOrDefault(new SampleKey(subject.name(), connections), List.of()).stream()
            .map(figure::applyAsDouble)
            .toList());
  }

  /** Error responses, and requests without a response. */
  long failures() {
    return samples.values().stream()
        .flatMap(List::stream)
        .mapToLong(sample -> sample.statuses() + sample.broken())
        .sum();
  }
}
