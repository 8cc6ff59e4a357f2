package gatebook.query.counts;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rows of a time are found in ranges with few others. */
final class PlaceFinderTest {
  private static final CountTable TABLE =
      new CountTable("item_counts", "items", "at", "NULL", List.of());
  private static final long BEGIN = 1_767_312_000_000_000_000L; // an hour begins
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  @AutoClose private Connection view;

  @BeforeEach
  void open() throws SQLException {
    view = DriverManager.getConnection("jdbc:h2:mem:");
    try (Statement create = view.createStatement()) {
      boolean _ =
          create.execute(
              "CREATE TABLE items (place BIGINT PRIMARY KEY, at BIGINT NOT NULL, times BIGINT NOT"
                  + " NULL)");
      for (String statement : TABLE.statements()) {
        boolean _ = create.execute(statement);
      }
    }
  }

  private record Item(long place, long at) {}

  private void add(List<Item> items) throws SQLException {
    CountBatch countBatch = new CountBatch(view, TABLE);
    for (Item item : items) {
      try (PreparedStatement insert = view.prepareStatement("INSERT INTO items VALUES (?, ?, 1)")) {
        insert.setLong(1, item.place);
        insert.setLong(2, item.at);
        int _ = insert.executeUpdate();
      }
      countBatch.add(item.at, null, 1, item.place);
    }
    countBatch.write();
  }

  /** Pages of items, one in ten milliseconds. */
  private void addBusyMinutes() throws SQLException {
    for (int page = 0; page < 20; page++) {
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        long place = page * 500L + i;
        items.add(new Item(place, BEGIN + place * 10 * MILLI));
      }
      add(items);
    }
  }

  @Test
  void aSpanInABusyHourHasItsPlacesOnly() throws SQLException {
    addBusyMinutes();
    TimeSpan second = new TimeSpan(BEGIN + 50_000 * MILLI, BEGIN + 51_000 * MILLI);

    assertThat(new PlaceFinder(view, TABLE, second).range())
        .isEqualTo(new PlaceRange(5_000, 5_099));
  }

  @Test
  void aLateRowWidensTheRangeOfItsTimeOnly() throws SQLException {
    addBusyMinutes();
    add(List.of(new Item(20_000, BEGIN + 50_005 * MILLI)));
    TimeSpan late = new TimeSpan(BEGIN + 50_000 * MILLI, BEGIN + 51_000 * MILLI);
    TimeSpan other = new TimeSpan(BEGIN + 52_000 * MILLI, BEGIN + 53_000 * MILLI);

    assertThat(new PlaceFinder(view, TABLE, late).range()).isEqualTo(new PlaceRange(5_000, 20_000));
    assertThat(new PlaceFinder(view, TABLE, other).range()).isEqualTo(new PlaceRange(5_200, 5_299));
  }

  @Test
  void rangesByHoursLeaveOutWhatIsBetween() throws SQLException {
    add(List.of(new Item(10, BEGIN), new Item(20, BEGIN + MILLI)));
    add(List.of(new Item(1_000_000, BEGIN + 2 * HOUR), new Item(2_000_000, BEGIN + 100 * HOUR)));
    add(List.of(new Item(2_000_010, BEGIN + 101 * HOUR), new Item(2_000_020, BEGIN + 100 * HOUR)));

    List<PlaceRange> ranges = ranges(Long.MAX_VALUE);

    assertThat(ranges)
        .containsExactly(
            new PlaceRange(2_000_000, 2_000_020),
            new PlaceRange(1_000_000, 1_000_000),
            new PlaceRange(10, 20));
    assertThat(ranges(1_000_000)).containsExactly(new PlaceRange(10, 20));
    assertThat(ranges(1_000_001)).isEqualTo(ranges.subList(1, 3));
  }

  private List<PlaceRange> ranges(long before) throws SQLException {
    PlaceFinder placeFinder = new PlaceFinder(view, TABLE, TimeSpan.ALL).byHours(before);
    List<PlaceRange> ranges = new ArrayList<>();
    Optional<PlaceRange> next = placeFinder.next();
    while (next.isPresent()) {
      ranges.add(next.get());
      next = placeFinder.next();
    }
    return ranges;
  }
}
