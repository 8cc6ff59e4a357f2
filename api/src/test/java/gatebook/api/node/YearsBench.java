package gatebook.api.node;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.api.load.OperatorRequests;
import gatebook.events.bench.Bench;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Table;
import gatebook.events.journal.Journal;
import gatebook.events.journal.archive.DirectoryTarget;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.JournalLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;

/**
 * A journal of 400 days and 1,000 principals, at sizes up to as many events as {@code
 * -Dbench.events} says: appending, views, start, lookups, counts, verification, a backup of what is
 * new, the move of the oldest tenth to an archive, and the erasure of a principal. Thirty million
 * events take less than an hour and 40 GB.
 */
final class YearsBench {
  private static final List<Long> STAGES =
      List.of(100_000L, 300_000L, 1_000_000L, 3_000_000L, 10_000_000L, 30_000_000L);
  private static final long EVENTS =
      Bench.QUICK ? 100_000L : Long.getLong("bench.events", 10_000_000L);
  private static final int REQUESTS = Bench.QUICK ? 20 : 300;
  private static final int ARCHIVED_REQUESTS = Bench.QUICK ? 2 : 10;
  private static final int ARGUMENT_CHARS = 200;

  /** A move that takes longer is told as one that did not end. */
  private static final int MOVE_SECONDS_MAX = Bench.QUICK ? 60 : 900;

  /** A mark has a stamp and a header, which are not long. */
  private static final long MARK_BYTES_MAX = 8 * 1024;

  private static final String DATA = "measured";
  private static final String GIB = "%.2f";

  private final Path root;
  private final Path directory;
  private final Random random = new Random(1);
  private final SyntheticYear year;
  private final Table times =
      new Table(
          "events",
          "append, events/s",
          "views, events/s",
          "start, s",
          "lookup, p50 / p99 ms",
          "denials by gate, p50 / p99 ms",
          "verify, s",
          "verify --all, s",
          "backup of what is new, s",
          "archive move, s",
          "lookup in the archive, p50 ms",
          "erasure of a principal, s");
  private final Table sizes =
      new Table(
          "events",
          "content keys",
          "journal, GiB",
          "backup, GiB: new",
          "archive, GiB: moved in all",
          "views, GiB",
          "keys, MiB",
          "keys erased");
  private int calls;
  private int archivedCalls;
  private double archivedBytes;
  private double backupBytes;
  private double eventsBefore;

  private YearsBench(Path root, Path directory) {
    this.root = root;
    this.directory = directory;
    Path data = directory.resolve(DATA);
    this.year =
        new SyntheticYear(
            data,
            SyntheticYear.inSegments(data),
            SampleCalls.kept(ARGUMENT_CHARS),
            SyntheticYear.calls(EVENTS));
  }

  static void measure(Bench bench) throws Exception {
    Path directory = bench.directory();
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: deny}}
        retention: {events: {days: 36500}, archive: "%s"}
        """
            .formatted(directory.resolve("archive")));
    YearsBench years = new YearsBench(bench.root(), directory);
    years.started().close(); // makes the data directory
    for (long stage : STAGES) {
      if (stage <= EVENTS) {
        years.measure(stage);
      }
    }
    print("%n%s%n%n%s", years.times, years.sizes);
  }

  private void measure(long stage) throws Exception {
    int to = SyntheticYear.calls(stage);
    String append = append(to);
    String views;
    double events;
    try (GatebookProcess gatebook = started()) {
      events = gatebook.metric("gatebook_journal_head");
      views = views(gatebook, events - eventsBefore);
    }
    eventsBefore = events;
    String start;
    String lookups;
    String counts;
    String backup;
    try (GatebookProcess gatebook = started()) {
      start = "%.1f".formatted(gatebook.readyMillis() / 1e3);
      OperatorRequests operator = new OperatorRequests(gatebook, data());
      lookups = operator.millis(REQUESTS, "audit.lookup", () -> lookup(archivedCalls, calls));
      counts = operator.millis(REQUESTS, "audit.denials", () -> "{}");
      backup =
          GatebookProcess.seconds(
              root, directory, "backup", directory.resolve("backup").toString(), "--data", DATA);
    }
    double backedUp = new DataFiles(directory.resolve("backup")).bytes("");
    String archive = "--archive";
    String place = directory.resolve("archive").toString();
    String verify =
        GatebookProcess.seconds(root, directory, "verify", "--data", DATA, archive, place);
    String verifyAll =
        GatebookProcess.seconds(root, directory, "verify", "--data", DATA, archive, place, "--all");
    String move = move();
    String archivedLookups = "-";
    String keys;
    String erasure;
    String erased;
    try (GatebookProcess gatebook = started()) {
      OperatorRequests operator = new OperatorRequests(gatebook, data());
      keys = "%,.0f".formatted(gatebook.metric("gatebook_content_keys"));
      if (archivedCalls > 0) {
        archivedLookups =
            operator.millis(ARCHIVED_REQUESTS, "audit.lookup", () -> lookup(0, archivedCalls));
      }
      long begun = System.nanoTime();
      erased =
          operator.call(
              "content.forget",
              "{\"principal\":\"%s\",\"reason\":\"measured\"}"
                  .formatted(SyntheticYear.principal(STAGES.indexOf(stage))));
      erasure = "%.2f".formatted((System.nanoTime() - begun) / 1e9);
    }
    String size = "%,.0f".formatted(events);
    times.add(
        size,
        append,
        views,
        start,
        lookups,
        counts,
        verify,
        verifyAll,
        backup,
        move,
        archivedLookups,
        erasure);
    sizes.add(
        size,
        keys,
        GIB.formatted(bytes("journal") / (1 << 30)),
        GIB.formatted((backedUp - backupBytes) / (1 << 30)),
        GIB.formatted(archivedBytes / (1 << 30)),
        GIB.formatted(bytes("views.mv.db") / (1 << 30)),
        "%.1f".formatted(bytes("keys") / (1 << 20)),
        erased.replaceAll(".*\"keys\":(\\d+).*", "$1"));
    backupBytes = backedUp;
    print("%s events%n%s", size, times);
  }

  private GatebookProcess started() throws IOException, InterruptedException {
    return GatebookProcess.start(root, directory, DATA);
  }

  private Path data() {
    return directory.resolve(DATA);
  }

  private double bytes(String name) {
    return new DataFiles(data().resolve(name)).bytes("");
  }

  private String append(int to) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    int from = calls;
    double[] perSecond = new double[1];
    year.append(
        from,
        to,
        SampleCalls::isDenied,
        () -> {
          perSecond[0] = (to - from) * 11 / 3.0 / ((System.nanoTime() - begun) / 1e9);
          new DataFiles(data().resolve("journal")).awaitCompressed();
        });
    calls = to;
    return "%,.0f".formatted(perSecond[0]);
  }

  /** A node is ready when its views are nearly at the head. */
  private static String views(GatebookProcess gatebook, double appended)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    while (gatebook.viewLag() > 0) {
      Thread.sleep(20);
    }
    double seconds = gatebook.readyMillis() / 1e3 + (System.nanoTime() - begun) / 1e9;
    return "%,.0f".formatted(appended / seconds);
  }

  /**
   * Moves the segments of the oldest tenth of the time so far. They go by their size: the first one
   * has events of the node from now, so that none would go by its age.
   */
  private String move() throws IOException, InterruptedException {
    int upTo = calls / 10;
    DataFiles archive = new DataFiles(directory.resolve("archive"));
    DataFiles journal = new DataFiles(data().resolve("journal"));
    long due = journal.sealedUpTo(SyntheticYear.events(upTo));
    long before = journal.count(".archived");
    double left = journal.bytes("") - journal.bytesOfFirst(due - before, ".segment.z");
    SegmentRetention retention =
        new SegmentRetention(
            Optional.empty(),
            OptionalLong.of((long) left + due * MARK_BYTES_MAX),
            Duration.ZERO,
            Optional.of(() -> DirectoryTarget.open(archive.directory())),
            Duration.ofMillis(20));
    long begun = System.nanoTime();
    double seconds;
    long moved;
    try (Journal _ =
        RealJournal.open(
            data(), SyntheticYear.inSegments(data()).with(retention), JournalLimits.DEFAULT)) {
      do {
        Thread.sleep(20);
        moved = journal.count(".archived") - before;
        seconds = (System.nanoTime() - begun) / 1e9;
      } while (moved < due - before && seconds < MOVE_SECONDS_MAX);
    }
    archivedBytes = archive.bytes("");
    archivedCalls = before + moved < due || due == 0 ? 0 : upTo / 2;
    if (moved < due - before) {
      return "%d of %d segments in %.0f".formatted(moved, due - before, seconds);
    }
    return due == before ? "-" : "%.1f, %d segments".formatted(seconds, moved);
  }

  private String lookup(int from, int to) {
    return "{\"id\":\"%s\"}".formatted(year.callId(from + random.nextInt(to - from)));
  }
}
