package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.PacedLoad;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.ThreadTimes;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The collectors of garbage beside each other, in a quarter of an hour: a server with each of them
 * gets the same traffic in turn, as fast as it can and at half the rate of the launcher's own. It
 * needs {@code wrk}.
 */
final class CollectorsBench {
  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 45;
  private static final int ROUNDS = Bench.QUICK ? 1 : 4;
  private static final int LOAD_SECONDS = Bench.QUICK ? 2 : 12;
  private static final int PACED_SECONDS = Bench.QUICK ? 2 : 25;
  private static final int CONNECTIONS = 64;

  private final Traffic traffic;
  private final Map<Collector, GatebookProcess> servers = new EnumMap<>(Collector.class);
  private final Rounds<Cost> rounds = new Rounds<>(List.of(CONNECTIONS));
  private int seed;
  private int halfRate;

  /** The collectors, of which the launcher chooses the first one. */
  private enum Collector {
    PARALLEL("parallel", ""),
    G1("G1", "-XX:-UseParallelGC -XX:+UseG1GC"),
    ZGC("ZGC", "-XX:-UseParallelGC -XX:+UseZGC"),
    SHENANDOAH("Shenandoah", "-XX:-UseParallelGC -XX:+UseShenandoahGC");

    private final String title;
    private final String options;

    Collector(String title, String options) {
      this.title = title;
      this.options = options;
    }
  }

  /**
   * What was measured in a round.
   *
   * @param micros of both processors for a call, without the generator's, as many as possible
   */
  private record Cost(
      double perSecond,
      double micros,
      double p50Millis,
      double p99Millis,
      double p999Millis,
      double pacedMicros,
      double resident) {}

  private CollectorsBench(Path directory) throws IOException {
    this.traffic = new Traffic(directory);
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    CollectorsBench collectors = new CollectorsBench(bench.directory());
    try (PeerProcess stub = PeerProcess.start(bench, "stub")) {
      Files.writeString(
          bench.directory().resolve("gatebook.yaml"), Traffic.rules(stub.resolve("/mcp")));
      collectors.run(bench);
    } finally {
      collectors.servers.values().forEach(GatebookProcess::close);
    }
  }

  private void run(Bench bench) throws Exception {
    for (Collector collector : Collector.values()) {
      GatebookProcess server =
          GatebookProcess.start(
              bench.root(), bench.directory(), collector.title, collector.options);
      servers.put(collector, server);
      var _ = load(server, WARM_UP_SECONDS);
    }
    Sample sample = load(server(Collector.PARALLEL), LOAD_SECONDS);
    halfRate = Math.max(CONNECTIONS, (int) (sample.perSecond() / 2));
    rounds.run(
        ROUNDS, List.of(Collector.values()), it -> it.title, (collector, _) -> cost(collector));
    print("%n%s%n", table());
    for (Collector collector : Collector.values()) {
      print(
          "%s: %s of the rate, %s of the p99 at %,d calls a second",
          collector.title,
          ratio(collector, Cost::perSecond),
          ratio(collector, Cost::p99Millis),
          halfRate);
    }
  }

  private GatebookProcess server(Collector collector) {
    return Objects.requireNonNull(servers.get(collector));
  }

  private Sample load(GatebookProcess server, int seconds)
      throws IOException, InterruptedException {
    return traffic.load(server.mcp(), ++seed, true, CONNECTIONS, seconds);
  }

  private Cost cost(Collector collector) throws IOException, InterruptedException {
    GatebookProcess server = server(collector);
    server.awaitIdle();
    ThreadTimes begun = ThreadTimes.of(server.pid());
    Sample fast = load(server, LOAD_SECONDS);
    server.awaitIdle();
    ThreadTimes loaded = ThreadTimes.of(server.pid());
    PacedLoad paced =
        new PacedLoad(server.mcp(), Traffic.requests(++seed), halfRate, PACED_SECONDS);
    PacedLoad.Outcome outcome = paced.run();
    server.awaitIdle();
    return new Cost(
        fast.perSecond(),
        loaded.since(begun).total() * 1e6 / fast.answers(),
        outcome.times().millis(0.5),
        outcome.times().millis(0.99),
        outcome.times().millis(0.999),
        ThreadTimes.of(server.pid()).since(loaded).total() * 1e6 / (halfRate * PACED_SECONDS),
        server.residentMebibytes());
  }

  private Table table() {
    Table table =
        new Table(
            "collector",
            "answers a second",
            "us of processor time a call",
            "p50, ms, at half the rate",
            "p99",
            "p99.9",
            "us there",
            "resident, MiB");
    for (Collector collector : Collector.values()) {
      table.add(
          collector.title,
          text(collector, Cost::perSecond, 0),
          text(collector, Cost::micros, 0),
          text(collector, Cost::p50Millis, 1),
          text(collector, Cost::p99Millis, 1),
          text(collector, Cost::p999Millis, 1),
          text(collector, Cost::pacedMicros, 0),
          text(collector, Cost::resident, 0));
    }
    return table;
  }

  private String text(Collector collector, ToDoubleFunction<Cost> figure, int digits) {
    return spread(collector, figure).text(digits);
  }

  private Spread spread(Collector collector, ToDoubleFunction<Cost> figure) {
    return rounds.spread(collector.title, CONNECTIONS, figure);
  }

  private String ratio(Collector collector, ToDoubleFunction<Cost> figure) {
    return rounds.ratios(collector.title, Collector.PARALLEL.title, CONNECTIONS, figure).text(2);
  }
}
