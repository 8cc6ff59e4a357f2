package gatebook.api.bench;

import gatebook.events.journal.bench.Spread;
import gatebook.events.journal.bench.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares servers that were started with the class cache with servers that were started without
 * it, after a minute of load. There are two of each, because no two servers compile their code in
 * the same way. They run side by side and are loaded in turns, because the machine's speed changes.
 */
final class CacheComparison implements AutoCloseable {
  private static final int CONNECTIONS = 64;
  private static final int WARM_UP_SECONDS = 60;
  private static final int LOADED_SECONDS = 6;
  private static final int ROUNDS = 10;

  private final Path directory;
  private final List<Loaded> cached = new ArrayList<>();
  private final List<Loaded> uncached = new ArrayList<>();

  private CacheComparison(Path directory) {
    this.directory = directory;
  }

  /** A server and what was measured of it, round by round. */
  private record Loaded(
      String name, GatebookProcess server, List<Double> perSecond, List<Double> micros) {

    void load(Path directory, int seconds) throws IOException, InterruptedException {
      ThreadTimes before = ThreadTimes.of(server.pid());
      Sample sample = new Wrk(directory).run(server.mcp(), call("denied"), CONNECTIONS, seconds);
      server.awaitIdle();
      perSecond.add(sample.perSecond());
      micros.add(ThreadTimes.of(server.pid()).since(before).total() * 1e6 / sample.answers());
    }
  }

  private static String call(String tool) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":{}}}
    """
        .formatted(tool);
  }

  /** The comparison as text. */
  static String measure(Path root, Path directory) throws IOException, InterruptedException {
    try (CacheComparison comparison = new CacheComparison(directory)) {
      for (int number = 1; number <= 2; number++) {
        comparison.start(root, comparison.cached, "with the cache, " + number, "");
        comparison.start(root, comparison.uncached, "without, " + number, "-XX:AOTMode=off");
      }
      return comparison.run();
    }
  }

  private void start(Path root, List<Loaded> group, String name, String options)
      throws IOException, InterruptedException {
    String data = name.replaceAll("\\W+", "-");
    group.add(
        new Loaded(
            name,
            GatebookProcess.start(root, directory, data, options),
            new ArrayList<>(),
            new ArrayList<>()));
  }

  private String run() throws IOException, InterruptedException {
    for (Loaded loaded : all()) {
      // what every server loads sooner or later is loaded in all of them
      for (String tool : List.of("echo", "denied", "process")) {
        new Wrk(directory).run(loaded.server().mcp(), call(tool), 1, 1);
      }
      loaded.load(directory, WARM_UP_SECONDS);
      loaded.perSecond().clear();
      loaded.micros().clear();
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (Loaded loaded : all()) {
        loaded.load(directory, LOADED_SECONDS);
      }
    }
    return text();
  }

  private List<Loaded> all() {
    List<Loaded> all = new ArrayList<>();
    for (int i = 0; i < cached.size(); i++) {
      all.add(cached.get(i));
      all.add(uncached.get(i));
    }
    return all;
  }

  private String text() {
    Table table = new Table("server", "denied calls a second", "µs of processor time each");
    for (Loaded loaded : all()) {
      table.add(
          loaded.name(), Spread.of(loaded.perSecond()).text(0), Spread.of(loaded.micros()).text(0));
    }
    List<Double> rates = new ArrayList<>();
    List<Double> times = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      int at = round;
      rates.add(
          cached.stream().mapToDouble(it -> it.perSecond().get(at)).sum()
              / uncached.stream().mapToDouble(it -> it.perSecond().get(at)).sum());
      times.add(
          cached.stream().mapToDouble(it -> it.micros().get(at)).sum()
              / uncached.stream().mapToDouble(it -> it.micros().get(at)).sum());
    }
    return "%s%nat %d connections, after %d s of load: with the cache %s of the calls without, at %s of the time each"
        .formatted(
            table,
            CONNECTIONS,
            WARM_UP_SECONDS,
            Spread.of(rates).text(2),
            Spread.of(times).text(2));
  }

  @Override
  public void close() {
    cached.forEach(it -> it.server().close());
    uncached.forEach(it -> it.server().close());
  }
}
