package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.AllocatedBytes;
import gatebook.api.load.GatebookProcess;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PacedLoad;
import gatebook.api.load.ThreadTimes;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What observing a candidate adds to a denied call, in five minutes: allocated bytes by thread, in
 * one process whose rules change between the rounds.
 */
final class ObservedBench {
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final int WARM_UPS = 1;
  private static final int PER_SECOND = 1_000;
  private static final int SECONDS = Bench.QUICK ? 2 : 10;

  /** What allocates less than this in a call is left out of the table. */
  private static final double SHOWN_BYTES = 50;

  /**
   * They work when a segment is full, which falls on some of the measurements: with so many calls,
   * on every second one, whatever is observed.
   */
  private static final Set<String> OF_SEGMENTS =
      Set.of("journal-stamper", "journal-compressor", "journal-sealer");

  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_stock",\
      "arguments":{"sku":"A-102934","warehouse":"north","amount":12}}}\
      """;

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules:
          - {match: "add", action: forward%s}
          - {match: "delete_*", action: deny}
      """;

  private static final String CANDIDATE =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules: [{match: "delete_*", action: %s}]
      """;

  private final Path directory;
  private final GatebookProcess gatebook;
  private final OperatorRequests operator;

  /** What the rules observe. */
  private enum Subject {
    NOTHING("no candidate", RULES.formatted("")),
    DENIES("it would deny, too", RULES.formatted("") + "observe: deny.yaml\n"),
    FORWARDS("it would forward", RULES.formatted("") + "observe: forward.yaml\n"),
    MODE("a rule in mode observe", RULES.formatted(", mode: observe"));

    private final String title;
    private final String rules;

    Subject(String title, String rules) {
      this.title = title;
      this.rules = rules;
    }
  }

  /** What so many calls cost. */
  private record Cost(AllocatedBytes allocated, double micros) {
    double bytes(String thread) {
      return (double) allocated.of(thread) / (PER_SECOND * SECONDS);
    }
  }

  private ObservedBench(Path directory, GatebookProcess gatebook) throws IOException {
    this.directory = directory;
    this.gatebook = gatebook;
    this.operator = new OperatorRequests(gatebook, directory.resolve("measured"));
  }

  static void measure(Bench bench) throws Exception {
    Path directory = bench.directory();
    Files.writeString(directory.resolve("gatebook.yaml"), Subject.NOTHING.rules);
    Files.writeString(directory.resolve("deny.yaml"), CANDIDATE.formatted("deny"));
    Files.writeString(directory.resolve("forward.yaml"), CANDIDATE.formatted("forward"));
    try (GatebookProcess gatebook = GatebookProcess.start(bench.root(), directory, "measured")) {
      new ObservedBench(directory, gatebook).run();
    }
  }

  private void run() throws Exception {
    List<Subject> subjects = List.of(Subject.values());
    new Rounds<Cost>(List.of(1)).run(WARM_UPS, subjects, it -> it.title, (it, _) -> cost(it));
    Rounds<Cost> rounds = new Rounds<>(List.of(1));
    rounds.run(ROUNDS, subjects, it -> it.title, (it, _) -> cost(it));
    print("%nbytes that a denied call allocates, and what a candidate adds%n%s%n", table(rounds));
  }

  private Cost cost(Subject subject) throws IOException, InterruptedException {
    activate(subject);
    gatebook.awaitIdle();
    ThreadTimes times = ThreadTimes.of(gatebook.pid());
    AllocatedBytes allocated = AllocatedBytes.of(gatebook.pid());
    var _ = PacedLoad.of(gatebook.mcp(), CALL, PER_SECOND, SECONDS).run();
    gatebook.awaitIdle();
    return new Cost(
        AllocatedBytes.of(gatebook.pid()).since(allocated),
        ThreadTimes.of(gatebook.pid()).since(times).total() * 1e6 / (PER_SECOND * SECONDS));
  }

  private void activate(Subject subject) throws IOException, InterruptedException {
    String mark = "# " + subject.title;
    Files.writeString(directory.resolve("gatebook.yaml"), subject.rules + mark + "\n");
    while (!operator.call("rules.show", "{}").contains(mark)) {
      Thread.sleep(100);
    }
  }

  private static Table table(Rounds<Cost> rounds) {
    Table table = new Table(cells("threads", Arrays.stream(Subject.values()).map(it -> it.title)));
    List<String> threads =
        rounds.all().stream()
            .flatMap(cost -> cost.allocated.byThread().keySet().stream())
            .distinct()
            .filter(thread ->
                Arrays.stream(Subject.values())
                    .anyMatch(it -> median(rounds, it, thread) > SHOWN_BYTES))
            .sorted(Comparator.comparingDouble(it -> -median(rounds, Subject.NOTHING, it)))
            .toList();
    threads.forEach(thread -> table.add(row(rounds, thread, List.of(thread))));
    List<String> ofCalls = threads.stream().filter(it -> !OF_SEGMENTS.contains(it)).toList();
    table.add(row(rounds, "all for each call", ofCalls));
    table.add(
        cells("share", Arrays.stream(Subject.values()).map(it -> share(rounds, it, ofCalls))));
    table.add(
        cells(
            "us of processor time",
            Arrays.stream(Subject.values())
                .map(it -> rounds.spread(it.title, 1, Cost::micros).text(0))));
    return table;
  }

  private static String[] row(Rounds<Cost> rounds, String name, List<String> threads) {
    double without = bytes(rounds, Subject.NOTHING, threads);
    return cells(
        name,
        Arrays.stream(Subject.values())
            .map(it ->
                it == Subject.NOTHING
                    ? "%,.0f".formatted(without)
                    : "%+,.0f".formatted(bytes(rounds, it, threads) - without)));
  }

  private static String share(Rounds<Cost> rounds, Subject subject, List<String> threads) {
    return "%+.1f %%"
        .formatted(
            100 * bytes(rounds, subject, threads) / bytes(rounds, Subject.NOTHING, threads) - 100);
  }

  private static double bytes(Rounds<Cost> rounds, Subject subject, List<String> threads) {
    return threads.stream().mapToDouble(it -> median(rounds, subject, it)).sum();
  }

  private static String[] cells(String first, Stream<String> others) {
    return Stream.concat(Stream.of(first), others).toArray(String[]::new);
  }

  private static double median(Rounds<Cost> rounds, Subject subject, String thread) {
    return rounds.spread(subject.title, 1, cost -> cost.bytes(thread)).median();
  }
}
