package gatebook.api.bench;

import static gatebook.api.bench.Bench.print;

import gatebook.events.journal.bench.Machine;
import gatebook.events.journal.bench.Spread;
import gatebook.events.journal.bench.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The benchmark of {@link Traffic}: prints tables and asserts no speed. It compares traffic as it
 * is with the same call again and again, loads a server for minutes, shows what a call costs, and
 * measures latencies at half the rate of which the server is capable.
 *
 * <p>{@code mvn -q verify -Pbench-traffic -DskipTests -pl api -am} takes about fourteen minutes;
 * with {@code -Dbench.quick} about a minute, but its figures then mean nothing. It needs {@code
 * wrk} and {@code nginx}.
 */
public final class TrafficBench {
  private static final boolean QUICK = Boolean.getBoolean("bench.quick");
  private static final int WARM_UP_SECONDS = QUICK ? 2 : 150;
  private static final int ROUNDS = QUICK ? 1 : 3;
  private static final int ROUND_SECONDS = QUICK ? 2 : 15;
  private static final int LONG_PARTS = QUICK ? 2 : 5;
  private static final int LONG_PART_SECONDS = QUICK ? 2 : 60;
  private static final int PACED_WARM_UP_SECONDS = QUICK ? 1 : 20;
  private static final int PACED_SECONDS = QUICK ? 3 : 60;
  private static final int CONNECTIONS = 64;
  private static final Pattern FORCES = Pattern.compile("\"forcedWrites\":(\\d+)");

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

  /**
   * Measures everything.
   *
   * @param args the build directory of the module, and the directory of the launcher
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    Path target = Path.of(args[0]).toAbsolutePath();
    Path root = Path.of(args[1]).toAbsolutePath();
    Path directory = target.resolve("bench-traffic");
    BenchSetup.begin(target, directory);
    GcLog gcLog = new GcLog(directory.resolve("gc.log"));
    try (PeerProcess stub =
        PeerProcess.start(root, target, Files.createDirectory(directory.resolve("stub")))) {
      Files.writeString(directory.resolve("gatebook.yaml"), Traffic.rules(stub.resolve("/mcp")));
      try (GatebookProcess gatebook =
          GatebookProcess.start(root, directory, "measured", gcLog.option())) {
        new TrafficBench(directory, gatebook, gcLog).measure(stub.resolve("/echo"));
      }
    }
    print("load at the end %.1f", Machine.load());
    BenchSetup.recreate(directory);
  }

  private void measure(URI echo) throws IOException, InterruptedException {
    load(true, CONNECTIONS, WARM_UP_SECONDS);
    compare();
    double perSecond = loadForMinutes();
    print("%nthe disk before: %s", Machine.describe(directory).lines().skip(1).toList());
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

  private void compare() throws IOException, InterruptedException {
    Table table =
        new Table("answers a second", "16 connections", "64 connections", "p50 / p99 at 64, ms");
    List<List<Sample>> same = List.of(new ArrayList<>(), new ArrayList<>());
    List<List<Sample>> varied = List.of(new ArrayList<>(), new ArrayList<>());
    int[] connections = {16, CONNECTIONS};
    for (int round = 0; round < ROUNDS; round++) {
      for (int column = 0; column < connections.length; column++) {
        same.get(column).add(load(false, connections[column], ROUND_SECONDS));
        gatebook.awaitIdle();
        varied.get(column).add(load(true, connections[column], ROUND_SECONDS));
        gatebook.awaitIdle();
      }
    }
    addRow(table, "the same calls again and again", same);
    addRow(table, "traffic as it is", varied);
    print("%n%s", table);
    print(
        "traffic as it is at %d connections: %.2f of the same calls",
        CONNECTIONS, rate(varied.get(1)).median() / rate(same.get(1)).median());
  }

  private static void addRow(Table table, String name, List<List<Sample>> samples) {
    List<Sample> last = samples.getLast();
    table.add(
        name,
        rate(samples.getFirst()).text(0),
        rate(last).text(0),
        "%.2f / %.2f"
            .formatted(
                Spread.of(last.stream().map(Sample::p50Millis).toList()).median(),
                Spread.of(last.stream().map(Sample::p99Millis).toList()).median()));
  }

  private static Spread rate(List<Sample> samples) {
    return Spread.of(samples.stream().map(Sample::perSecond).toList());
  }

  /** Returns how many answers came a second at the end: the speed of the machine may change. */
  private double loadForMinutes() throws IOException, InterruptedException {
    ThreadTimes times = ThreadTimes.of(gatebook.pid());
    long forces = forces();
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
    printCosts(answers, ThreadTimes.of(gatebook.pid()).since(times), forces() - forces, mark);
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

  private long forces() throws IOException, InterruptedException {
    Matcher forces = FORCES.matcher(operator.call("node.status", "{}"));
    if (!forces.find()) {
      throw new IOException("the status of the node has no forced writes");
    }
    return Long.parseLong(forces.group(1));
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
        outcome.p50Millis(),
        outcome.p99Millis(),
        outcome.p999Millis(),
        outcome.maxMillis());
  }
}
