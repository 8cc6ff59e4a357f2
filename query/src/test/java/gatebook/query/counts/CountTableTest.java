package gatebook.query.counts;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.Proof;
import gatebook.query.counts.NewestFirst.RowPage;
import gatebook.query.counts.NewestFirst.Selected;
import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The counts of any time are those of the rows, whether a few or very many share a second. */
@TestInstance(Lifecycle.PER_CLASS)
final class CountTableTest {
  private static final CountTable TABLE =
      new CountTable("item_counts", "items", "at", "count_key", List.of("name"));
  private static final int ROWS = 6_000;
  private static final int FIRST_WITH_OWN_KEY = 2_000;
  private static final long BEGIN = 1_767_323_045_000_000_000L;

  private final long seed = Proof.seed();
  private final SplittableRandom random = new SplittableRandom(seed);
  private final List<Item> items = new ArrayList<>();
  private Connection view;

  private record Item(long place, long at, long key, long times) {
    Tally tally() {
      return new Tally(times, at, at, place);
    }
  }

  @BeforeAll
  void open() throws SQLException {
    view = DriverManager.getConnection("jdbc:h2:mem:");
    view.setAutoCommit(false);
    execute(
        "CREATE TABLE items (place BIGINT PRIMARY KEY, at BIGINT NOT NULL, name VARCHAR, times"
            + " BIGINT NOT NULL, count_key BIGINT)");
    for (String statement : TABLE.statements()) {
      execute(statement);
    }
    insertRandomItems();
    view.commit();
  }

  @AfterAll
  void close() throws SQLException {
    view.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = view.createStatement()) {
      boolean _ = statement.execute(sql);
    }
  }

  /** Most items are near to the one before, and some of them long before or after it. */
  private void insertRandomItems() throws SQLException {
    long at = BEGIN;
    while (items.size() < ROWS) {
      CountBatch countBatch = new CountBatch(view, TABLE);
      for (int left = random.nextInt(400); left > 0; left--) {
        at +=
            random.nextInt(500) == 0 && !hasOwnKey(items.size())
                ? random.nextLong(TimeUnit.DAYS.toNanos(-3), TimeUnit.DAYS.toNanos(30))
                : random.nextLong(1L << random.nextInt(1, 32));
        Item item =
            new Item(items.size(), at, key(items.size()), random.nextInt(200) == 0 ? 9_000 : 1);
        items.add(item);
        insert(item);
        countBatch.add(item.at, item.key, item.times, item.place);
      }
      countBatch.write();
    }
  }

  private long key(int number) {
    return hasOwnKey(number) ? number : 1 + random.nextInt(4);
  }

  /** Some items that follow each other have keys of their own: too many for some intervals. */
  private static boolean hasOwnKey(int number) {
    return number >= FIRST_WITH_OWN_KEY && number < FIRST_WITH_OWN_KEY + 2 * KeyTallies.KEYS_MAX;
  }

  private void insert(Item item) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO items VALUES (?, ?, ?, ?, ?)")) {
      insert.setLong(1, item.place);
      insert.setLong(2, item.at);
      insert.setString(3, "name " + item.key);
      insert.setLong(4, item.times);
      insert.setLong(5, item.key);
      int _ = insert.executeUpdate();
    }
  }

  @Test
  void filledCountsAreThoseOfTheBatches() throws Exception {
    List<String> counts = StoredCounts.of(view, TABLE);

    assertThat(StoredCounts.derived(view, TABLE)).as("seed %d", seed).isEqualTo(counts);
  }

  @Test
  void everyLengthOfIntervalsHasCounts() throws Exception {
    try (PreparedStatement select =
        view.prepareStatement("SELECT COUNT(*) FROM item_counts WHERE slot >= ? AND slot < ?")) {
      for (CountInterval interval : CountInterval.values()) {
        select.setLong(1, interval.firstSlot());
        select.setLong(2, interval.endSlot());
        try (ResultSet row = select.executeQuery()) {
          row.next();
          assertThat(row.getLong(1)).as("seed %d, %s", seed, interval).isPositive();
        }
      }
    }
  }

  @Test
  void intervalsWithTooManyKeysHaveNoTallies() throws Exception {
    assertThat(StoredCounts.of(view, TABLE))
        .as("seed %d", seed)
        .anyMatch(line -> line.endsWith(" null"));
  }

  @Test
  void countsOfAnyTimeAreThoseOfItsRows() throws Exception {
    TallyReader tallyReader = new TallyReader(view, TABLE);
    for (int i = 0; i < 300; i++) {
      List<TimeSpan> spans = List.of(span(), span(), span());
      Map<List<Long>, Tally> expected = new HashMap<>();
      for (int part = 0; part < spans.size(); part++) {
        long number = part;
        addTo(expected, spans.get(part), _ -> number);
      }
      assertThat(sums(tallyReader.read(spans))).as("seed %d, %s", seed, spans).isEqualTo(expected);
    }
  }

  @Test
  void countsOfEachIntervalAreThoseOfItsRows() throws Exception {
    TallyReader tallyReader = new TallyReader(view, TABLE);
    for (int i = 0; i < 60; i++) {
      for (CountInterval interval :
          List.of(CountInterval.DAY, CountInterval.HOUR, CountInterval.MINUTE)) {
        TimeSpan span = span();
        Map<List<Long>, Tally> expected = new HashMap<>();
        addTo(expected, span, at -> at - at % interval.nanos());
        assertThat(sums(tallyReader.readEach(interval, span)))
            .as("seed %d, %s of %s", seed, interval, span)
            .isEqualTo(expected);
      }
    }
  }

  @Test
  void tallyOfRowsIsExactInAnyTime() throws Exception {
    for (int i = 0; i < 50; i++) {
      RowReader rowReader = RowReader.of(view, TABLE, List.of("name"), new RowFilter());
      List<TimeSpan> spans = List.of(span(), span(), span(), span());
      Map<List<Long>, Tally> expected = new HashMap<>();
      for (int part = 0; part < spans.size(); part++) {
        long number = part;
        addTo(expected, spans.get(part), _ -> number);
      }
      Map<List<Long>, Tally> read = new HashMap<>();
      rowReader.read(
          spans,
          (part, values, tally) ->
              read.merge(List.of(part, keyOf(values.get("name"))), tally, Tally::plus));
      assertThat(read).as("seed %d, %s", seed, spans).isEqualTo(expected);
    }
  }

  @Test
  void pagesHaveTheRowsOfAnyTimeNewestFirst() throws Exception {
    for (int i = 0; i < 30; i++) {
      TimeSpan span = span();
      Selected selected = new Selected(TABLE, span, "name", new RowFilter());
      List<Long> listed = new ArrayList<>();
      OptionalLong after = OptionalLong.empty();
      do {
        RowPage<Long> page =
            NewestFirst.page(
                view,
                List.of(selected),
                after,
                1 + random.nextInt(900),
                row -> row.getLong("page_place"));
        listed.addAll(page.rows());
        after = page.next();
      } while (after.isPresent());
      assertThat(listed)
          .as("seed %d, %s", seed, span)
          .isEqualTo(
              items.reversed().stream()
                  .filter(item -> span.contains(item.at))
                  .map(Item::place)
                  .toList());
    }
  }

  private static long keyOf(@Nullable String name) {
    return Long.parseLong(Objects.requireNonNull(name).substring("name ".length()));
  }

  private TimeSpan span() {
    long from = random.nextInt(5) == 0 ? Long.MIN_VALUE : end();
    long to = random.nextInt(5) == 0 ? Long.MAX_VALUE : end();
    return new TimeSpan(Math.min(from, to), Math.max(from, to));
  }

  /** The time of an item, or one near to it, or the beginning of an interval. */
  private long end() {
    long at = items.get(random.nextInt(items.size())).at;
    CountInterval[] intervals = CountInterval.values();
    CountInterval interval = intervals[random.nextInt(intervals.length)];
    return switch (random.nextInt(3)) {
      case 0 -> at;
      case 1 -> at + random.nextLong(interval.nanos());
      default -> interval.begin(interval.number(at));
    };
  }

  private void addTo(Map<List<Long>, Tally> sums, TimeSpan span, LongUnaryOperator part) {
    for (Item item : items) {
      if (span.contains(item.at)) {
        sums.merge(List.of(part.applyAsLong(item.at), item.key), item.tally(), Tally::plus);
      }
    }
  }

  private static Map<List<Long>, Tally> sums(PartTallies tallies) {
    Map<List<Long>, Tally> sums = new HashMap<>();
    tallies.forEach((part, key, tally) -> sums.put(List.of(part, key), tally));
    return sums;
  }
}
