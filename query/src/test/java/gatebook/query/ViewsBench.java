package gatebook.query;

import static gatebook.events.bench.Bench.print;

import gatebook.events.bench.Bench;
import gatebook.events.bench.Rounds;
import gatebook.events.bench.SampleCalls;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import gatebook.events.bench.Times;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.keys.MemoryContentKeys;
import gatebook.query.calls.FindCalls;
import gatebook.query.calls.LookupResult;
import gatebook.query.errors.CountErrors;
import gatebook.query.errors.Counted;
import gatebook.query.errors.ErrorDimension;
import gatebook.query.errors.ErrorFilter;
import gatebook.query.errors.ErrorQueries.ErrorCounts;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The views, in four minutes: rebuilding them compared with a bare scan of the same rows, queries
 * at several sizes, and how far they are behind.
 */
final class ViewsBench {
  private static final List<Integer> SIZES =
      Bench.QUICK ? List.of(1_000, 3_000) : List.of(10_000, 100_000, 1_000_000);

  /** The number of calls when views are rebuilt: about a million events. */
  private static final int REBUILD_CALLS = Bench.QUICK ? 3_000 : 300_000;

  private static final int LOOKUPS = Bench.QUICK ? 500 : 10_000;

  /** How often each count is asked. */
  private static final int COUNTS = Bench.QUICK ? 5 : 30;

  private static final int GROUPS = 100;
  private static final int PER_SECOND = 1_000;
  private static final int SECONDS = Bench.QUICK ? 2 : 30;
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final long LOOK_NANOS = 200_000;
  private static final int SCAN_PAGE = 1_000;
  private static final String SCAN = "bare scan";

  private final SampleCalls sampleCalls = new SampleCalls();
  private final Journal journal;
  private final Views views;
  private int calls;

  private ViewsBench(Journal journal, Views views) {
    this.journal = journal;
    this.views = views;
  }

  static void measure(Bench bench) throws Exception {
    try (Journal journal = Journals.opened(Journals.inSegments(bench.directory()));
        ViewFile file =
            ((ViewFile.Opening.Opened) ViewFile.open(bench.directory().resolve("views"))).views();
        Views views = Views.follow(file, journal, MemoryContentKeys.vocabulary())) {
      new ViewsBench(journal, views).run();
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
    print("%nlookups, one at a time%n%s", lookups);
    print("%ncounts, one at a time, median of %d%n%s", COUNTS, counts);
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
    print(
        "filled to %d calls, %d events, %.0f events/s appended and in all views",
        size, journal.head(), (journal.head() - before) / seconds(begun));
  }

  /** Measures rebuilding views, compared with reading the same rows and doing nothing. */
  private void measureRebuilds() throws Exception {
    Map<String, List<View>> subjects = new LinkedHashMap<>();
    subjects.put(SCAN, List.of());
    views.all().forEach(view -> subjects.put(view.name(), List.of(view)));
    subjects.put("all at once", views.all());
    List<String> names = List.copyOf(subjects.keySet());
    Rounds<Double> rates = new Rounds<>(List.of(1));
    rates.run(
        ROUNDS,
        names,
        name -> name,
        (name, _) ->
            name.equals(SCAN) ? scan() : rebuildRate(Objects.requireNonNull(subjects.get(name))));
    Table table = new Table("rebuilt", "events/s", "of the scan rate", "time for a million events");
    for (String name : names) {
      Spread spread = rates.spread(name, 1, rate -> rate);
      table.add(
          name,
          spread.text(0),
          "%.2f".formatted(spread.median() / rates.spread(SCAN, 1, rate -> rate).median()),
          "%.0f s".formatted(1e6 / spread.median()));
    }
    print("%nviews rebuilt from %d events, %d rounds%n%s", journal.head(), ROUNDS, table);
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

  private void measureLookups(Table table) throws Exception {
    SplittableRandom random = new SplittableRandom(calls);
    Times times = Times.measure(LOOKUPS / 2, LOOKUPS, () -> lookUp(random.nextInt(calls)));
    table.add(
        Integer.toString(calls),
        Long.toString(journal.head()),
        "%.0f".formatted(times.micros(0.5)),
        "%.0f".formatted(times.micros(0.99)));
  }

  private void measureCounts(Table table) throws Exception {
    Instant now = Instant.now();
    table.add(
        Integer.toString(calls),
        millis(denials(Optional.empty(), now)),
        millis(denials(Optional.of(Duration.ofHours(1)), now)),
        millis(denials(Optional.empty(), now, ErrorDimension.GATE, ErrorDimension.HOUR)),
        millis(
            denials(
                Optional.empty(),
                now,
                ErrorDimension.TOOL,
                ErrorDimension.PRINCIPAL,
                ErrorDimension.HOUR)),
        millis(errors(Optional.empty(), now)),
        millis(errors(Optional.of(Duration.ofDays(1)), now)),
        millis(errors(Optional.empty(), now, ErrorDimension.AGENT, ErrorDimension.CODE)),
        millis(errors(Optional.empty(), now, ErrorDimension.HOUR)));
  }

  private static CountErrors denials(Optional<Duration> last, Instant now, ErrorDimension... by) {
    return count(Counted.DENIALS, last, now, by);
  }

  private static CountErrors errors(Optional<Duration> last, Instant now, ErrorDimension... by) {
    return count(Counted.ERRORS, last, now, by);
  }

  private static CountErrors count(
      Counted counted, Optional<Duration> last, Instant now, ErrorDimension... by) {
    return new CountErrors(
        new ErrorFilter(counted, last.map(now::minus), Optional.empty(), Map.of()),
        List.of(by),
        now,
        GROUPS,
        0);
  }

  /** The median time of a question that was asked as often before. */
  private String millis(CountErrors question) throws Exception {
    Times times =
        Times.measure(
            COUNTS,
            COUNTS,
            () -> {
              ErrorCounts _ = views.queries().send(question, ErrorCounts.class);
            });
    return "%.2f".formatted(times.millis(0.5));
  }

  /** Looks up a call by one of two ids. */
  private void lookUp(int call) throws InterruptedException {
    String id = call % 2 == 0 ? SampleCalls.correlation(call) : SampleCalls.id(call).toString();
    if (!(views.queries().send(new FindCalls(id, 0, Optional.empty()), LookupResult.class)
        instanceof LookupResult.Found)) {
      throw new IllegalStateException("not found: " + id);
    }
  }

  /**
   * Measures the time from the acknowledgement of an append until a view, for which no reader
   * waits, contains it.
   */
  private void measureDelay() throws Exception {
    int all = PER_SECOND * SECONDS;
    long[][] nanos = new long[views.all().size()][all];
    List<Thread> watchers = new ArrayList<>();
    List<Queue<StoredCall>> queues = new ArrayList<>();
    for (int view = 0; view < nanos.length; view++) {
      Queue<StoredCall> queue = new ConcurrentLinkedQueue<>();
      queues.add(queue);
      View watched = views.all().get(view);
      long[] into = nanos[view];
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
    print(
        "%nfrom acknowledgement to view, %d calls a second for %d s, beginning with %d calls%n%s",
        PER_SECOND, SECONDS, calls - all, delayTable(nanos));
  }

  private record StoredCall(long position, long nanos) {}

  private static void watch(View view, Queue<StoredCall> stored, long[] nanos) {
    int seen = 0;
    while (seen < nanos.length) {
      long position = view.position();
      long now = System.nanoTime();
      for (StoredCall one = stored.peek();
          one != null && one.position <= position;
          one = stored.peek()) {
        stored.remove();
        nanos[seen++] = now - one.nanos;
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private Table delayTable(long[][] nanos) {
    Table table = new Table("view", "p50 ms", "p99 ms", "max ms");
    for (int view = 0; view < nanos.length; view++) {
      Times times = Times.of(nanos[view]);
      table.add(
          views.all().get(view).name(),
          "%.1f".formatted(times.millis(0.5)),
          "%.1f".formatted(times.millis(0.99)),
          "%.1f".formatted(times.millis(1)));
    }
    return table;
  }

  private static double seconds(long begun) {
    return (System.nanoTime() - begun) / 1e9;
  }
}
