package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.OperatorRequests;
import gatebook.api.load.PeerProcess;
import gatebook.api.load.Sample;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The answers of a node beside rotations of its keys and moves to its archive, of one with backups
 * as well, and of one without, in turns, in 20 minutes. It needs {@code wrk}.
 */
final class UpkeepBench {
  private static final int ROUNDS = Bench.QUICK ? 1 : 5;

  /** Longer than the time between two looks for segments that go to the archive. */
  private static final int ROUND_SECONDS = Bench.QUICK ? 2 : 65;

  private static final int WARM_UP_SECONDS = Bench.QUICK ? 1 : 60;
  private static final int CONNECTIONS = 64;
  private static final long EVERY_MILLIS = 40_000;
  private static final String ROTATIONS = "rotations and archive";
  private static final String BACKUPS = "rotations, archive and backups";
  private static final String WITHOUT = "without";

  private final Bench bench;
  private final Traffic traffic;
  private final AtomicInteger seed = new AtomicInteger();
  private final AtomicInteger rotations = new AtomicInteger();
  private final AtomicInteger backups = new AtomicInteger();

  private UpkeepBench(Bench bench) throws IOException {
    this.bench = bench;
    this.traffic = new Traffic(bench.directory());
  }

  /** A node under load. */
  private record Subject(String name, GatebookProcess gatebook, Path data) {}

  /** What a node answered in one round, and the processor time that its process took. */
  private record Round(Sample sample, double processorSeconds) {
    double perSecond() {
      return sample.perSecond();
    }

    double processorMicros() {
      return processorSeconds * 1e6 / sample.answers();
    }
  }

  static void measure(Bench bench) throws Exception {
    Bench.require("wrk");
    new UpkeepBench(bench).run();
  }

  private void run() throws Exception {
    try (PeerProcess stub = PeerProcess.start(bench, "stub");
        GatebookProcess rotating = started(ROTATIONS, stub.resolve("/mcp"), retention(ROTATIONS));
        GatebookProcess backedUp = started(BACKUPS, stub.resolve("/mcp"), retention(BACKUPS));
        GatebookProcess without = started(WITHOUT, stub.resolve("/mcp"), "")) {
      List<Subject> subjects =
          List.of(
              new Subject(ROTATIONS, rotating, data(ROTATIONS)),
              new Subject(BACKUPS, backedUp, data(BACKUPS)),
              new Subject(WITHOUT, without, data(WITHOUT)));
      for (Subject subject : subjects) {
        load(subject, WARM_UP_SECONDS);
      }
      Rounds<Round> rounds = new Rounds<>(List.of(CONNECTIONS));
      rounds.run(ROUNDS, subjects, Subject::name, (subject, _) -> measured(subject));
      Table table =
          new Table("node", "answers a second", "processor us per answer", "p50 ms", "p99 ms");
      for (Subject subject : subjects) {
        table.add(
            subject.name,
            rounds.spread(subject.name, CONNECTIONS, Round::perSecond).text(0),
            rounds.spread(subject.name, CONNECTIONS, Round::processorMicros).text(0),
            rounds.spread(subject.name, CONNECTIONS, it -> it.sample().p50Millis()).text(1),
            rounds.spread(subject.name, CONNECTIONS, it -> it.sample().p99Millis()).text(1));
      }
      print("%n%s%n", table);
      for (String name : List.of(ROTATIONS, BACKUPS)) {
        print(
            "%s / without, within each round: answers a second %s, processor time per answer %s",
            name,
            rounds.ratios(name, WITHOUT, CONNECTIONS, Round::perSecond).text(2),
            rounds.ratios(name, WITHOUT, CONNECTIONS, Round::processorMicros).text(2));
      }
      print(
          "%d rotations, %d backups, %d segments moved",
          rotations.get(), backups.get(), archived(data(ROTATIONS)) + archived(data(BACKUPS)));
    }
  }

  private String retention(String name) {
    return "retention: {events: {bytes: 1048576}, below_floor: true, archive: \"%s\"}\n"
        .formatted(directory(name).resolve("archive"));
  }

  private Path directory(String name) {
    return bench.directory().resolve(name.replaceAll("[, ]+", "-"));
  }

  private Path data(String name) {
    return directory(name).resolve("data");
  }

  private static long archived(Path data) {
    return new DataFiles(data.resolve("journal")).count(".archived");
  }

  private GatebookProcess started(String name, URI stub, String retention)
      throws IOException, InterruptedException {
    Path directory = Files.createDirectories(directory(name));
    Files.writeString(directory.resolve("gatebook.yaml"), Traffic.rules(stub) + retention);
    return GatebookProcess.start(bench.root(), directory, "data");
  }

  private Sample load(Subject subject, int seconds) throws IOException, InterruptedException {
    return traffic.load(subject.gatebook.mcp(), seed.incrementAndGet(), true, CONNECTIONS, seconds);
  }

  private Round measured(Subject subject) throws Exception {
    subject.gatebook.awaitIdle();
    double before = processorSeconds(subject);
    Sample sample =
        subject.name.equals(WITHOUT) ? load(subject, ROUND_SECONDS) : loadBesideUpkeep(subject);
    subject.gatebook.awaitIdle();
    return new Round(sample, processorSeconds(subject) - before);
  }

  private static double processorSeconds(Subject subject) throws IOException, InterruptedException {
    return subject.gatebook.metric("process_cpu_seconds_total");
  }

  private Sample loadBesideUpkeep(Subject subject) throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    OperatorRequests operator = new OperatorRequests(subject.gatebook, subject.data);
    try (ExecutorService upkeep = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Void>> running = new ArrayList<>();
      running.add(upkeep.submit(repeated(isOver, () -> rotate(operator))));
      if (subject.name.equals(BACKUPS)) {
        running.add(upkeep.submit(repeated(isOver, () -> backUp(operator))));
      }
      Sample sample = load(subject, ROUND_SECONDS);
      isOver.set(true);
      for (Future<Void> each : running) {
        each.get();
      }
      return sample;
    }
  }

  private static Callable<Void> repeated(AtomicBoolean isOver, Bench.Work work) {
    return () -> {
      while (!isOver.get()) {
        long next = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS);
        work.run();
        while (!isOver.get() && System.nanoTime() < next) {
          Thread.sleep(50);
        }
      }
      return null;
    };
  }

  private void rotate(OperatorRequests operator) throws IOException, InterruptedException {
    for (String key : List.of("wrapping", "checkpoint")) {
      var _ = operator.call("keys.rotate", "{\"key\":\"%s\"}".formatted(key));
      rotations.incrementAndGet();
    }
  }

  private void backUp(OperatorRequests operator) throws IOException, InterruptedException {
    String target = bench.directory().resolve("backup").toString();
    var _ = operator.call("backup.start", "{\"target\":\"%s\"}".formatted(target));
    while (operator.call("backup.status", "{}").contains("\"state\":\"running\"")) {
      Thread.sleep(100);
    }
    backups.incrementAndGet();
  }
}
