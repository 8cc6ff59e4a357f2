package gatebook.api;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.Sample;
import gatebook.api.load.ThreadTimes;
import gatebook.api.load.Wrk;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Compares servers that were started with the class cache with servers that were started without
 * it, after a minute of load. There are two of each, because no two servers compile their code in
 * the same way. They run side by side and are loaded in turns, because the machine's speed changes.
 */
final class CacheComparison implements AutoCloseable {
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 60;
  private static final int LOADED_SECONDS = Bench.QUICK ? 1 : 6;
  private static final int ROUNDS = Bench.QUICK ? 1 : 10;

  private final Bench bench;
  private final Wrk wrk;
  private final List<Loaded> cached = new ArrayList<>();
  private final List<Loaded> uncached = new ArrayList<>();

  private CacheComparison(Bench bench) {
    this.bench = bench;
    this.wrk = new Wrk(bench.directory());
  }

  private record Loaded(String name, GatebookProcess server) {}

  /** What a load gave: calls a second, and the processor time of each. */
  private record Cost(double perSecond, double micros) {}

  private static String call(String tool) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{}}}
    """
        .formatted(tool);
  }

  /** The comparison as text. */
  static String measure(Bench bench) throws Exception {
    try (CacheComparison comparison = new CacheComparison(bench)) {
      for (int number = 1; number <= 2; number++) {
        comparison.start(comparison.cached, "with the cache, " + number, "");
        comparison.start(comparison.uncached, "without, " + number, "-XX:AOTMode=off");
      }
      return comparison.run();
    }
  }

  private void start(List<Loaded> group, String name, String options)
      throws IOException, InterruptedException {
    String data = name.replaceAll("\\W+", "-");
    group.add(
        new Loaded(name, GatebookProcess.start(bench.root(), bench.directory(), data, options)));
  }

  private String run() throws Exception {
    for (Loaded loaded : all()) {
      // what every server loads sooner or later is loaded in all of them
      for (String tool : List.of("echo", "denied", "process")) {
        wrk.run(loaded.server().mcp(), call(tool), 1, 1);
      }
      Cost _ = load(loaded.server(), WARM_UP_SECONDS);
    }
    Rounds<Cost> rounds = new Rounds<>(List.of(CONNECTIONS));
    rounds.run(ROUNDS, all(), Loaded::name, (loaded, _) -> load(loaded.server(), LOADED_SECONDS));
    return text(rounds);
  }

  private Cost load(GatebookProcess server, int seconds) throws IOException, InterruptedException {
    ThreadTimes before = ThreadTimes.of(server.pid());
    Sample sample = wrk.run(server.mcp(), call("denied"), CONNECTIONS, seconds);
    server.awaitIdle();
    return new Cost(
        sample.perSecond(),
        ThreadTimes.of(server.pid()).since(before).total() * 1e6 / sample.answers());
  }

  private List<Loaded> all() {
    List<Loaded> all = new ArrayList<>();
    for (int i = 0; i < cached.size(); i++) {
      all.add(cached.get(i));
      all.add(uncached.get(i));
    }
    return all;
  }

  private String text(Rounds<Cost> rounds) {
    Table table = new Table("server", "denied calls a second", "µs of processor time each");
    for (Loaded loaded : all()) {
      table.add(
          loaded.name(),
          rounds.spread(loaded.name(), CONNECTIONS, Cost::perSecond).text(0),
          rounds.spread(loaded.name(), CONNECTIONS, Cost::micros).text(0));
    }
    return "%s%nat %d connections, after %d s of load: with the cache %s of the calls without, at %s of the time each"
        .formatted(
            table,
            CONNECTIONS,
            WARM_UP_SECONDS,
            ratios(rounds, Cost::perSecond).text(2),
            ratios(rounds, Cost::micros).text(2));
  }

  private Spread ratios(Rounds<Cost> rounds, ToDoubleFunction<Cost> figure) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      ratios.add(sum(cached, rounds, round, figure) / sum(uncached, rounds, round, figure));
    }
    return Spread.of(ratios);
  }

  private static double sum(
      List<Loaded> group, Rounds<Cost> rounds, int round, ToDoubleFunction<Cost> figure) {
    return group.stream()
        .mapToDouble(it -> figure.applyAsDouble(rounds.of(it.name(), CONNECTIONS).get(round)))
        .sum();
  }

  @Override
  public void close() {
    cached.forEach(it -> it.server().close());
    uncached.forEach(it -> it.server().close());
  }
}
