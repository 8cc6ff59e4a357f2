package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.GcLog;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PacedLoad;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.ThreadTimes;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Machine;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Traffic as it is, in a quarter of an hour: compared with the same call again and again, for
 * minutes, with what a call costs, and at half the rate of which the server is capable. It needs
 * {@code wrk}.
 */
final class TrafficBench {
  private static final int WARM_UP_SECONDS = Bench.QUICK ? 2 : 150;
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final int ROUND_SECONDS = Bench.QUICK ? 2 : 15;
  private static final int LONG_PARTS = Bench.QUICK ? 2 : 5;
  private static final int LONG_PART_SECONDS = Bench.QUICK ? 2 : 60;
  private static final int PACED_WARM_UP_SECONDS = Bench.QUICK ? 1 : 20;
  private static final int PACED_SECONDS = Bench.QUICK ? 3 : 60;
  private static final int CONNECTIONS = 64;
  private static final String SAME = "the same calls again and again";
  private static final String VARIED = "traffic as it is";

  private final Path directory;
  private final Traffic traffic;
  private final GatebookProcess gatebook;
  private final OperatorRequests operator;
  private final GcLog gcLog;
  private int seed;

  private TrafficBench(Path directory, GatebookProcess gatebook, GcLog gcLog) throws IOException {
    this.directory = directory;
    this.traffic = new Traffic(directory);
    this.gatebook = gatebook;
    this.operator = new OperatorRequests(gatebook, directory.resolve("measured"));
    this.gcLog = gcLog;
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    Path directory = bench.directory();
    GcLog gcLog = new GcLog(directory.resolve("gc.log"));
    try (PeerProcess stub = PeerProcess.start(bench, "stub")) {
      Files.writeString(directory.resolve("gatebook.yaml"), Traffic.rules(stub.resolve("/mcp")));
      try (GatebookProcess gatebook =
          GatebookProcess.start(bench.root(), directory, "measured", gcLog.option())) {
        new TrafficBench(directory, gatebook, gcLog).measure(stub.resolve("/echo"));
      }
    }
  }

  private void measure(URI echo) throws Exception {
    load(true, CONNECTIONS, WARM_UP_SECONDS);
    compare();
    double perSecond = loadForMinutes();
    print("%nthe disk before: %s", Machine.disk(directory));
    int paced = (int) (perSecond / 2);
    pacedLoad(gatebook.mcp(), paced, PACED_WARM_UP_SECONDS).run();
    ThreadTimes times = ThreadTimes.of(gatebook.pid());
    int mark = gcLog.mark();
    measureLatencies("gatebook", gatebook.mcp(), paced);
    printCollections(gcLog.since(mark));
    print("%s", ThreadTimes.of(gatebook.pid()).since(times).perCall((long) paced * PACED_SECONDS));
    measureLatencies("a bare Micronaut echo", echo, paced);
  }

  private PacedLoad pacedLoad(URI url, int perSecond, int seconds) {
    return new PacedLoad(url, Traffic.requests(++seed), perSecond, seconds);
  }

  private Sample load(boolean varies, int connections, int seconds)
      throws IOException, InterruptedException {
    return traffic.load(gatebook.mcp(), ++seed, varies, connections, seconds);
  }

  private void compare() throws Exception {
    Rounds<Sample> rounds = new Rounds<>(List.of(16, CONNECTIONS));
    List<String> subjects = List.of(SAME, VARIED);
    rounds.run(
        ROUNDS,
        subjects,
        subject -> subject,
        (subject, connections) -> {
          Sample sample = load(subject.equals(VARIED), connections, ROUND_SECONDS);
          gatebook.awaitIdle();
          return sample;
        });
    print(
        "%n%s",
        rounds.table(
            "answers a second; p50 / p99, ms",
            "connection",
            subjects,
            samples ->
                "%s; %.2f / %.2f"
                    .formatted(
                        spread(samples, Sample::perSecond).text(0),
                        spread(samples, Sample::p50Millis).median(),
                        spread(samples, Sample::p99Millis).median())));
    print(
        "traffic as it is at %d connections: %.2f of the same calls",
        CONNECTIONS,
        rounds.spread(VARIED, CONNECTIONS, Sample::perSecond).median()
            / rounds.spread(SAME, CONNECTIONS, Sample::perSecond).median());
  }

  private static Spread spread(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return Spread.of(samples.stream().map(figure::applyAsDouble).toList());
  }

  /** Returns how many answers came a second at the end: the speed of the machine may change. */
  private double loadForMinutes() throws IOException, InterruptedException {
    ThreadTimes times = ThreadTimes.of(gatebook.pid());
    long forces = operator.forces();
    int mark = gcLog.mark();
    List<Double> rates = new ArrayList<>();
    long answers = 0;
    double resident = 0;
    double behind = 0;
    for (int part = 0; part < LONG_PARTS; part++) {
      Sample sample = load(true, CONNECTIONS, LONG_PART_SECONDS);
      answers += sample.answers();
      rates.add(sample.perSecond());
      resident = Math.max(resident, gatebook.residentMebibytes());
      behind = Math.max(behind, gatebook.viewLag());
    }
    gatebook.awaitIdle();
    print(
        "%n%d connections for %d s, answers a second in each of %d parts: %s",
        CONNECTIONS,
        LONG_PARTS * LONG_PART_SECONDS,
        LONG_PARTS,
        rates.stream().map("%,.0f"::formatted).toList());
    printCosts(
        answers, ThreadTimes.of(gatebook.pid()).since(times), operator.forces() - forces, mark);
    print("resident: at most %,.0f MiB; views at most %,.0f events behind", resident, behind);
    return rates.getLast();
  }

  private void printCosts(long answers, ThreadTimes times, long forces, int mark)
      throws IOException {
    GcLog.Collections collections = gcLog.since(mark);
    print(
        "a call: %.1f us of processor time, %.0f KiB allocated; %.1f calls a force",
        times.total() * 1e6 / answers,
        collections.allocatedMebibytes() * 1_024 / answers,
        (double) answers / forces);
    printCollections(collections);
    print("%n%s", times.perCall(answers));
  }

  private static void printCollections(GcLog.Collections collections) {
    print(
        "%d collections: %.1f ms on average, at most %.1f ms",
        collections.count(),
        collections.sumMillis() / Math.max(1, collections.count()),
        collections.maxMillis());
  }

  private void measureLatencies(String name, URI url, int perSecond)
      throws IOException, InterruptedException {
    PacedLoad.Outcome outcome = pacedLoad(url, perSecond, PACED_SECONDS).run();
    print(
        "%s, %,d calls a second for %d s, %,.0f reached: p50 %.2f ms, p99 %.2f, p99.9 %.2f, at most"
            + " %.2f",
        name,
        perSecond,
        PACED_SECONDS,
        outcome.perSecond(),
        outcome.times().millis(0.5),
        outcome.times().millis(0.99),
        outcome.times().millis(0.999),
        outcome.times().millis(1));
  }
}
