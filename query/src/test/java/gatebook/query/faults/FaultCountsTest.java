package gatebook.query.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.Journals;
import gatebook.query.RandomEvents;
import gatebook.query.counts.StoredCounts;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.EventReader;
import gatebook.query.projection.View;
import gatebook.query.projection.View.Reached;
import gatebook.query.projection.ViewFile;
import gatebook.query.trend.RecordedTime;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The counts that the view keeps give the same answers as the rows of the faults. */
@Timeout(300)
final class FaultCountsTest {
  private static final int APPENDS = 1_500;
  private static final int QUESTIONS = 120;

  @TempDir private Path directory;

  private final long seed = Long.getLong("gatebook.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final RandomEvents randomEvents = RandomEvents.crowded(random);
  private final List<Instant> times = new ArrayList<>();
  private Journal journal;
  private ViewFile file;

  @BeforeEach
  void open() {
    journal = Journals.opened(Journals.inSegments(directory));
    file = ((ViewFile.Opening.Opened) ViewFile.open(directory.resolve("views"))).views();
  }

  @AfterEach
  void close() {
    file.close();
    journal.close();
  }

  private void append(List<DraftEvent> drafts) {
    times.add(Instant.parse(drafts.getLast().at()));
    assertThat(journal.append(ConflictCondition.none(), drafts).join())
        .isInstanceOf(Append.Stored.class);
  }

  @Test
  void countsAnswerAsRowsDo() throws Exception {
    FaultQueries queries = FaultQueries.follow(file, journal, new EventReader());
    for (int i = 0; i < APPENDS; i++) {
      append(randomEvents.next());
    }
    queries.view().awaitHead(0);

    for (int i = 0; i < QUESTIONS; i++) {
      ListFaults.Filter filter = filter();
      Instant now = time();
      int limit = 1 + random.nextInt(30);
      List<FaultDimension> by = by(FaultDimension.values());
      List<FaultDimension> timeless = by.stream().filter(dimension -> !dimension.isTime()).toList();
      String question = "seed %d, %s by %s at %s".formatted(seed, filter, by, now);

      assertThat(queries.handle(new CountFaults(filter, by, now, limit, 0)))
          .as(question)
          .isEqualTo(rows(queries, filter, by, now, rows -> rows.counts(limit)));
      assertThat(queries.handle(new GroupFaults(filter, now, limit, 0)))
          .as(question)
          .isEqualTo(
              rows(
                  queries,
                  filter,
                  List.of(FaultDimension.FINGERPRINT),
                  now,
                  rows -> rows.groups(limit)));
      if (!timeless.isEmpty()) {
        assertThat(queries.handle(new CompareFaultRates(filter, timeless, now, limit, 0)))
            .as(question)
            .isEqualTo(rows(queries, filter, timeless, now, rows -> rows.rates(limit)));
      }
      assertThat(queries.handle(new ListFaults(filter, OptionalLong.empty(), 1, 0)).total())
          .as(question)
          .isEqualTo(rows(queries, filter, List.of(), now, RowFaults::total));
    }
    queries.view().close();
  }

  @FunctionalInterface
  private interface RowAnswer<T> {
    T of(RowFaults rows) throws SQLException;
  }

  private <T> T rows(
      FaultQueries queries,
      ListFaults.Filter filter,
      List<FaultDimension> by,
      Instant now,
      RowAnswer<T> rowAnswer) {
    Reached reached = new Reached(journal.head(), journal.head());
    return queries
        .view()
        .read(view ->
            rowAnswer.of(new RowFaults(view, reached, filter, by, now, new RecordedTime(journal))));
  }

  /** One dimension at least. */
  private List<FaultDimension> by(FaultDimension[] all) {
    List<FaultDimension> by = new ArrayList<>(List.of(all[random.nextInt(all.length)]));
    Arrays.stream(all).filter(_ -> random.nextInt(4) == 0).forEach(by::add);
    return by.stream().distinct().toList();
  }

  private ListFaults.Filter filter() {
    return new ListFaults.Filter(
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        random.nextBoolean() ? Optional.empty() : Optional.of(time()),
        Optional.empty(),
        any(ColumnFilter.NOTHING, Dialect.MCP.word()),
        any(ColumnFilter.NOTHING, FaultQueries.OTHER_CODE),
        any(ColumnFilter.NOTHING, "ParseError"),
        any(ColumnFilter.NOTHING, Gate.GOVERNANCE.word()),
        any(ColumnFilter.NOTHING, "deploy"),
        any(ColumnFilter.NOTHING, "planner"),
        any(ColumnFilter.NOTHING, "route"));
  }

  /** Nearly always anything. */
  private ColumnFilter any(ColumnFilter rare, String value) {
    return switch (random.nextInt(20)) {
      case 0 -> rare;
      case 1, 2 -> new ColumnFilter.Exactly(value);
      default -> ColumnFilter.ANYTHING;
    };
  }

  private Instant time() {
    return RandomEvents.timeNear(times.get(random.nextInt(times.size())), random);
  }

  /** Errors of agents fail at first: they need the events of their call. */
  @Test
  void eventsThatWereParkedAreCountedOnce() throws Exception {
    AtomicBoolean fails = new AtomicBoolean(true);
    FaultsProjection projection =
        new FaultsProjection(_ -> {
          if (fails.get()) {
            throw new IllegalStateException("not yet");
          }
          return List.of();
        });
    try (View view = View.follow(file, journal, projection, new EventReader())) {
      List<DraftEvent> page = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        page.addAll(randomEvents.next());
      }
      append(page);
      view.awaitHead(0);
      assertThat(view.parked(1_000)).hasSizeGreaterThan(5);
      assertKept(view);

      fails.set(false);
      view.parked(1_000).forEach(parked -> view.retry(parked.position()));

      assertThat(view.parked(1_000)).isEmpty();
      assertKept(view);
    }
  }

  private void assertKept(View view) {
    List<String> stored = view.read(it -> StoredCounts.of(it, FaultRows.COUNTS));
    List<String> derived = view.read(it -> StoredCounts.derived(it, FaultRows.COUNTS));
    assertThat(stored).as("seed %d", seed).isNotEmpty().isEqualTo(derived);
  }
}
