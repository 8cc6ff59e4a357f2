package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Reads the tallies of any time by key, exactly. */
final class TallyReader {
  private final Connection view;
  private final CountTable table;

  /** The times of the first and of the last row, also of those without a key. */
  private final TimeSpan rowTimes;

  TallyReader(Connection view, CountTable table) throws SQLException {
    this.view = view;
    this.table = table;
    this.rowTimes = table.rowTimes(view);
  }

  /** The latest time of a row; 0 when there is none. */
  long lastAt() {
    return rowTimes.to();
  }

  /** The tallies of each span, by its number and by key. */
  PartTallies read(List<TimeSpan> spans) throws SQLException {
    List<TimeSpan> widened = spans.stream().map(this::widened).toList();
    PieceReader pieceReader = new PieceReader(view, table, withParts(widened));
    for (int i = 0; i < widened.size(); i++) {
      pieceReader.read(CountInterval.DAYS_64, widened.get(i), i);
    }
    return pieceReader.tallies();
  }

  /**
   * The tallies of each interval in a span, by its beginning and by key.
   *
   * @param interval days, hours or minutes
   */
  PartTallies readEach(CountInterval interval, TimeSpan span) throws SQLException {
    TimeSpan all = widened(span);
    PieceReader pieceReader = new PieceReader(view, table, withParts(List.of(all)));
    TimeSpan whole = interval.wholeIn(all);
    if (whole.from() > whole.to()) {
      pieceReader.read(CountInterval.DAYS_64, all, interval.begin(interval.number(all.from())));
      return pieceReader.tallies();
    }
    pieceReader.read(
        CountInterval.DAYS_64,
        new TimeSpan(all.from(), whole.from()),
        interval.begin(interval.number(all.from())));
    if (interval == CountInterval.MINUTE) {
      readMinutes(pieceReader, whole);
    } else {
      pieceReader.readEach(interval, whole);
    }
    pieceReader.read(CountInterval.DAYS_64, new TimeSpan(whole.to(), all.to()), whole.to());
    return pieceReader.tallies();
  }

  /** Reads whole minutes: from the rows of the hours that have no counts of them. */
  private void readMinutes(PieceReader pieceReader, TimeSpan span) throws SQLException {
    long read = span.from();
    for (long hour : hoursWithParts(span)) {
      long begin = Math.max(span.from(), CountInterval.HOUR.begin(hour));
      long end = Math.min(span.to(), CountInterval.HOUR.begin(hour + 1));
      pieceReader.readMinuteRows(new TimeSpan(read, begin));
      pieceReader.readEach(CountInterval.MINUTE, new TimeSpan(begin, end));
      read = end;
    }
    pieceReader.readMinuteRows(new TimeSpan(read, span.to()));
  }

  private List<Long> hoursWithParts(TimeSpan span) throws SQLException {
    List<Long> hours = new ArrayList<>();
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT slot FROM %s WHERE slot >= ? AND slot <= ? AND times >= ? ORDER BY slot"
                .formatted(table.name()))) {
      select.setLong(1, CountInterval.HOUR.slot(CountInterval.HOUR.number(span.from())));
      select.setLong(2, CountInterval.HOUR.slot(CountInterval.HOUR.number(span.to())));
      select.setLong(3, CountInterval.MANY);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          hours.add(CountInterval.HOUR.numberOfSlot(row.getLong(1)));
        }
      }
    }
    return hours;
  }

  /** Extends a span over all the time before the first and after the last row. */
  private TimeSpan widened(TimeSpan span) {
    return span.from() >= span.to()
        ? span
        : new TimeSpan(
            span.from() <= rowTimes.from() ? Long.MIN_VALUE : span.from(),
            span.to() > rowTimes.to() ? Long.MAX_VALUE : span.to());
  }

  /** The slots with counts of their parts, among those in which a span begins or ends. */
  private Set<Long> withParts(List<TimeSpan> spans) throws SQLException {
    Object[] slots =
        spans.stream()
            .flatMapToLong(span -> LongStream.of(span.from(), span.to()))
            .filter(at -> at != Long.MIN_VALUE && at != Long.MAX_VALUE)
            .boxed()
            .flatMap(at ->
                Stream.of(CountInterval.values())
                    .filter(CountInterval::mayHaveParts)
                    .map(interval -> interval.slot(interval.number(at))))
            .distinct()
            .toArray();
    Set<Long> withParts = new HashSet<>();
    if (slots.length == 0) {
      return withParts;
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT slot FROM %s WHERE slot = ANY(?) AND times >= ?".formatted(table.name()))) {
      select.setArray(1, view.createArrayOf("BIGINT", slots));
      select.setLong(2, CountInterval.MANY);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          withParts.add(row.getLong(1));
        }
      }
    }
    return withParts;
  }
}
