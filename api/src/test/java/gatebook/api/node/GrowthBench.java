package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A growing journal, in 25 minutes: answers, looking up a call, counts, start and verification at
 * several sizes, up to ten million events, or to as many as {@code -Dbench.events} says. It needs
 * {@code wrk}.
 */
final class GrowthBench {
  private static final List<Long> STAGES =
      List.of(
          10_000L,
          30_000L,
          100_000L,
          300_000L,
          1_000_000L,
          3_000_000L,
          10_000_000L,
          30_000_000L,
          100_000_000L);
  private static final long EVENTS =
      Bench.QUICK ? 30_000L : Long.getLong("bench.events", 10_000_000L);
  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 90;
  private static final int MEASURED_SECONDS = Bench.QUICK ? 1 : 10;
  private static final int FILL_SECONDS = Bench.QUICK ? 1 : 20;
  private static final int REQUESTS = Bench.QUICK ? 20 : 300;
  private static final int CONNECTIONS = 64;
  private static final String DATA = "measured";

  private final Path root;
  private final Path directory;
  private final Traffic traffic;
  private final List<Load> loads = new ArrayList<>();
  private final Random random = new Random(1);
  private final Table table =
      new Table(
          "events",
          "answers a second, after the warm-up",
          "lookup, p50 / p99 ms",
          "denials by gate, p50 / p99 ms",
          "start, ms",
          "verify, s",
          "verify --all, s",
          "journal, bytes an event",
          "views, bytes an event");
  private GatebookProcess gatebook;
  private double perSecondEvents = 1_000;
  private int seed;

  /** Calls that were made with a seed. */
  private record Load(int seed, long calls) {}

  private GrowthBench(Path root, Path directory) throws IOException, InterruptedException {
    this.root = root;
    this.directory = directory;
    this.traffic = new Traffic(directory);
    this.gatebook = GatebookProcess.start(root, directory, DATA);
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    Path directory = bench.directory();
    try (PeerProcess stub = PeerProcess.start(bench, "stub")) {
      Files.writeString(directory.resolve("gatebook.yaml"), Traffic.rules(stub.resolve("/mcp")));
      GrowthBench growth = new GrowthBench(bench.root(), directory);
      try {
        growth.measure();
      } finally {
        growth.gatebook.close();
      }
    }
  }

  private void measure() throws Exception {
    for (long stage : STAGES) {
      if (stage <= EVENTS) {
        measure(stage);
      }
    }
    print("%n%s", table);
  }

  /** Measures at a stage, and starts the process anew, which its load has to warm up again. */
  private void measure(long stage) throws Exception {
    long begun = System.nanoTime();
    while (head() < stage) {
      load((int) Math.clamp((stage - head()) / perSecondEvents, 1, FILL_SECONDS));
    }
    boolean isWarm = System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
    String rate = isWarm ? "%,.0f".formatted(load(MEASURED_SECONDS).perSecond()) : "-";
    gatebook.awaitIdle();
    double events = head();
    OperatorRequests operator = new OperatorRequests(gatebook, data());
    String lookups = operator.millis(REQUESTS, "audit.lookup", this::lookup);
    String counts = operator.millis(REQUESTS, "audit.denials", () -> "{}");
    gatebook.close();
    String verify = GatebookProcess.seconds(root, directory, "verify", "--data", data().toString());
    String verifyAll =
        GatebookProcess.seconds(root, directory, "verify", "--data", data().toString(), "--all");
    double journal = bytes("journal");
    double views = bytes("views.mv.db");
    gatebook = GatebookProcess.start(root, directory, DATA);
    table.add(
        "%,.0f".formatted(events),
        rate,
        lookups,
        counts,
        "%,.0f".formatted(gatebook.readyMillis()),
        verify,
        verifyAll,
        "%.0f".formatted(journal / events),
        "%.0f".formatted(views / events));
    print("%,.0f events", events);
  }

  private Path data() {
    return directory.resolve(DATA);
  }

  private double head() throws IOException, InterruptedException {
    return gatebook.metric("gatebook_journal_head");
  }

  private Sample load(int seconds) throws IOException, InterruptedException {
    double before = head();
    Sample sample = traffic.load(gatebook.mcp(), ++seed, true, CONNECTIONS, seconds);
    if (sample.answers() > 1) { // a machine under load answers fewer in a second
      loads.add(new Load(seed, sample.answers()));
    }
    perSecondEvents = Math.max(1, (head() - before) / seconds);
    return sample;
  }

  /** The id of a call that was answered; wrk does not send the first request that it makes. */
  private String lookup() {
    Load load = loads.get(random.nextInt(loads.size()));
    return """
    {"id":"%s"}\
    """
        .formatted(Traffic.correlationId(load.seed(), 2 + random.nextLong(load.calls() - 1)));
  }

  private double bytes(String name) throws IOException {
    try (Stream<Path> files = Files.walk(data().resolve(name))) {
      return files.filter(Files::isRegularFile).mapToDouble(file -> file.toFile().length()).sum();
    }
  }
}
