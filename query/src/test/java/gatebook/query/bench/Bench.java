package gatebook.query.bench;

import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.bench.Machine;
import gatebook.events.journal.bench.Table;
import gatebook.query.Views;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.LookupResult;
import gatebook.query.denials.CountDenials;
import gatebook.query.denials.DenialDimension;
import gatebook.query.denials.DenialQueries;
import gatebook.query.denials.ListDenials;
import gatebook.query.faults.CompareFaultRates;
import gatebook.query.faults.CountFaults;
import gatebook.query.faults.FaultDimension;
import gatebook.query.faults.FaultQueries;
import gatebook.query.faults.GroupFaults;
import gatebook.query.faults.ListFaults;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The benchmark of the views: prints the tables of BENCHMARKS.md. With {@code -Dbench.quick=true}
 * it only shows that it runs.
 */
public final class Bench {
  private static final boolean QUICK = Boolean.getBoolean("bench.quick");
  private static final List<Integer> SIZES =
      QUICK ? List.of(1_000, 3_000) : List.of(10_000, 100_000, 1_000_000);

  /** The number of calls when views are rebuilt: about a million events. */
  private static final int REBUILD_CALLS = QUICK ? 3_000 : 300_000;

  private static final int LOOKUPS = QUICK ? 500 : 10_000;

  /** How often each count is asked. */
  private static final int COUNTS = QUICK ? 5 : 30;

  private static final int GROUPS = 100;
  private static final int PER_SECOND = 1_000;
  private static final int SECONDS = QUICK ? 2 : 30;
  private static final int ROUNDS = QUICK ? 1 : 3;
  private static final long LOOK_NANOS = 200_000;
  private static final int SCAN_PAGE = 1_000;

  private final SampleCalls sampleCalls = new SampleCalls();
  private final Journal journal;
  private final Views views;
  private int calls;

  private Bench(Journal journal, Views views) {
    this.journal = journal;
    this.views = views;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createTempDirectory(Path.of(arguments[0]), "bench");
    try (Journal journal = Journals.opened(Journals.inSegments(directory));
        ViewFile file =
            ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
        Views views = Views.follow(file, journal)) {
      System.out.println(Machine.describe(directory));
      new Bench(journal, views).run();
    } finally {
      delete(directory);
    }
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void run() throws Exception {
    Table lookups = new Table("calls", "events", "lookup p50 us", "lookup p99 us");
    Table counts =
        new Table(
            "calls",
            "denials by gate ms",
            "of the last hour",
            "by gate, hour",
            "by tool, principal, hour",
            "errors ms",
            "of the last day",
            "by agent, code",
            "by hour");
    for (int size : SIZES) {
      if (calls < REBUILD_CALLS && size >= REBUILD_CALLS) {
        fill(REBUILD_CALLS);
        measureRebuilds();
      }
      fill(size);
      measureLookups(lookups);
      measureCounts(counts);
    }
    System.out.println("\nlookups, one at a time\n" + lookups);
    System.out.printf("%ncounts, one at a time, median of %d%n%s%n", COUNTS, counts);
    measureDelay();
  }

  private void fill(int size) throws InterruptedException {
    long begun = System.nanoTime();
    long before = journal.head();
    sampleCalls.fill(journal, calls, size);
    calls = size;
    for (View view : views.all()) {
      view.await(journal.head(), Long.MAX_VALUE / 2_000_000);
    }
    System.err.printf(
        "filled to %d calls, %d events, %.0f events/s appended and in all views%n",
        size, journal.head(), (journal.head() - before) / seconds(begun));
  }

  /** Measures rebuilding views, compared with reading the same rows and doing nothing. */
  private void measureRebuilds() throws Exception {
    Table table =
        new Table(
            "rebuilt",
            "events/s (median)",
            "min",
            "max",
            "of the scan rate",
            "time for a million events");
    double[] scans = new double[ROUNDS];
    double[][] rates = new double[views.all().size()][ROUNDS];
    double[] together = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      scans[round] = scan();
      for (int view = 0; view < views.all().size(); view++) {
        rates[view][round] = rebuildRate(List.of(views.all().get(view)));
      }
      together[round] = rebuildRate(views.all());
    }
    row(table, "bare scan", scans, scans);
    for (int view = 0; view < views.all().size(); view++) {
      row(table, views.all().get(view).name(), rates[view], scans);
    }
    row(table, "all five at once", together, scans);
    System.out.printf(
        "%nviews rebuilt from %d events, %d rounds%n%s%n", journal.head(), ROUNDS, table);
  }

  private static void row(Table table, String name, double[] rates, double[] scans) {
    double median = median(rates);
    table.add(
        name,
        number(median),
        number(Arrays.stream(rates).min().orElseThrow()),
        number(Arrays.stream(rates).max().orElseThrow()),
        String.format(Locale.ROOT, "%.2f", median / median(scans)),
        String.format(Locale.ROOT, "%.0f s", 1e6 / median));
  }

  private double scan() {
    long begun = System.nanoTime();
    long bytes = 0;
    long read = 0;
    while (read < journal.head()) {
      for (Entry entry : journal.find(null, read, journal.head(), SCAN_PAGE)) {
        bytes += entry.payload().length;
        read = entry.position();
      }
    }
    if (bytes == 0) {
      throw new IllegalStateException("nothing was read");
    }
    return read / seconds(begun);
  }

  private double rebuildRate(List<View> some) throws InterruptedException {
    long begun = System.nanoTime();
    some.forEach(view -> view.startRebuild(0));
    while (some.stream().anyMatch(view -> view.status().replay() != null)) {
      Thread.sleep(1);
    }
    return journal.head() / seconds(begun);
  }

  private void measureLookups(Table table) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(calls);
    measureLookups(random, LOOKUPS / 2); // warm-up, until the compiler is done
    long[] micros = measureLookups(random, LOOKUPS);
    table.add(
        Integer.toString(calls),
        Long.toString(journal.head()),
        Long.toString(micros[LOOKUPS / 2]),
        Long.toString(micros[LOOKUPS * 99 / 100]));
  }

  private void measureCounts(Table table) throws InterruptedException {
    Instant now = Instant.now();
    Class<DenialQueries.Counts> counts = DenialQueries.Counts.class;
    table.add(
        Integer.toString(calls),
        millis(denials(Optional.empty(), now), counts),
        millis(denials(Optional.of(Duration.ofHours(1)), now), counts),
        millis(denials(Optional.empty(), now, DenialDimension.GATE, DenialDimension.HOUR), counts),
        millis(
            denials(
                Optional.empty(),
                now,
                DenialDimension.TOOL,
                DenialDimension.PRINCIPAL,
                DenialDimension.HOUR),
            counts),
        millis(
            new GroupFaults(faults(Optional.empty(), now), now, GROUPS, 0),
            FaultQueries.Groups.class),
        millis(
            new GroupFaults(faults(Optional.of(Duration.ofDays(1)), now), now, GROUPS, 0),
            FaultQueries.Groups.class),
        millis(
            new CompareFaultRates(
                faults(Optional.empty(), now),
                List.of(FaultDimension.AGENT, FaultDimension.CODE),
                now,
                GROUPS,
                0),
            FaultQueries.Rates.class),
        millis(
            new CountFaults(
                faults(Optional.empty(), now), List.of(FaultDimension.HOUR), now, GROUPS, 0),
            FaultQueries.FaultCounts.class));
  }

  private static CountDenials denials(Optional<Duration> last, Instant now, DenialDimension... by) {
    return new CountDenials(
        new ListDenials.Filter(
            last.map(now::minus),
            Optional.empty(),
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING),
        List.of(by),
        now,
        GROUPS,
        0);
  }

  private static ListFaults.Filter faults(Optional<Duration> last, Instant now) {
    return new ListFaults.Filter(
        last.map(now::minus),
        Optional.empty(),
        Optional.empty(),
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING,
        ColumnFilter.ANYTHING);
  }

  /** The median time of a question that was asked as often before. */
  private <T> String millis(Object question, Class<T> answer) throws InterruptedException {
    double[] times = new double[COUNTS];
    for (int warmUp = 0; warmUp < 2; warmUp++) {
      for (int i = 0; i < COUNTS; i++) {
        long begun = System.nanoTime();
        T _ = views.queries().send(question, answer);
        times[i] = seconds(begun) * 1e3;
      }
    }
    return String.format(Locale.ROOT, "%.2f", median(times));
  }

  private long[] measureLookups(SplittableRandom random, int times) throws InterruptedException {
    long[] micros = new long[times];
    for (int i = 0; i < times; i++) {
      int call = random.nextInt(calls);
      String id = i % 2 == 0 ? SampleCalls.correlation(call) : SampleCalls.id(call).toString();
      long begun = System.nanoTime();
      LookupResult found =
          views.queries().send(new FindCalls(id, 0, Optional.empty()), LookupResult.class);
      micros[i] = (System.nanoTime() - begun) / 1_000;
      if (!(found instanceof LookupResult.Found)) {
        throw new IllegalStateException("not found: " + id);
      }
    }
    Arrays.sort(micros);
    return micros;
  }

  /**
   * Measures the time from the acknowledgement of an append until a view, for which no reader
   * waits, contains it.
   */
  private void measureDelay() throws Exception {
    int all = PER_SECOND * SECONDS;
    long[][] micros = new long[views.all().size()][all];
    List<Thread> watchers = new ArrayList<>();
    List<Queue<StoredCall>> queues = new ArrayList<>();
    for (int view = 0; view < micros.length; view++) {
      Queue<StoredCall> queue = new ConcurrentLinkedQueue<>();
      queues.add(queue);
      View watched = views.all().get(view);
      long[] into = micros[view];
      watchers.add(Thread.ofPlatform().start(() -> watch(watched, queue, into)));
    }
    long begun = System.nanoTime();
    for (int i = 0; i < all; i++) {
      LockSupport.parkNanos(begun + i * 1_000_000_000L / PER_SECOND - System.nanoTime());
      var _ =
          journal
              .append(ConflictCondition.none(), sampleCalls.call(calls++))
              .thenAccept(append -> {
                StoredCall one = new StoredCall(SampleCalls.position(append), System.nanoTime());
                queues.forEach(queue -> queue.add(one));
              });
    }
    for (Thread thread : watchers) {
      thread.join();
    }
    System.out.printf(
        "%nfrom acknowledgement to view, %d calls a second for %d s, beginning with %d calls%n%s%n",
        PER_SECOND, SECONDS, calls - all, delayTable(micros));
  }

  private record StoredCall(long position, long nanos) {}

  private static void watch(View view, Queue<StoredCall> stored, long[] micros) {
    int seen = 0;
    while (seen < micros.length) {
      long position = view.position();
      long now = System.nanoTime();
      for (StoredCall one = stored.peek();
          one != null && one.position <= position;
          one = stored.peek()) {
        stored.remove();
        micros[seen++] = (now - one.nanos) / 1_000;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Table delayTable(long[][] micros) {
    Table table = new Table("view", "p50 ms", "p99 ms", "max ms");
    for (int view = 0; view < micros.length; view++) {
      long[] sorted = micros[view].clone();
      Arrays.sort(sorted);
      table.add(
          views.all().get(view).name(),
          millis(sorted[sorted.length / 2]),
          millis(sorted[sorted.length * 99 / 100]),
          millis(sorted[sorted.length - 1]));
    }
    return table;
  }

  private static String millis(long micros) {
    return String.format(Locale.ROOT, "%.1f", micros / 1e3);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
