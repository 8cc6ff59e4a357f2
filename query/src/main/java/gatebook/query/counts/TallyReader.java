package gatebook.query.counts;

import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    PieceReader pieceReader = new PieceReader(view, table, ends(widened));
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
    PieceReader pieceReader = new PieceReader(view, table, ends(List.of(all)));
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
    PlaceRange places = PlaceRange.NONE;
    for (CountedInterval hour : table.intervals(view, CountInterval.HOUR, span)) {
      if (hour.hasParts()) {
        TimeSpan within = hour.time().within(span);
        pieceReader.readMinuteRows(new TimeSpan(read, within.from()), places);
        pieceReader.readEach(CountInterval.MINUTE, within);
        read = within.to();
        places = PlaceRange.NONE;
      } else {
        places = places.plus(hour.places());
      }
    }
    pieceReader.readMinuteRows(new TimeSpan(read, span.to()), places);
  }

  /** Extends a span over all the time before the first and after the last row. */
  private TimeSpan widened(TimeSpan span) {
    return span.from() >= span.to()
        ? span
        : new TimeSpan(
            span.from() <= rowTimes.from() ? Long.MIN_VALUE : span.from(),
            span.to() > rowTimes.to() ? Long.MAX_VALUE : span.to());
  }

  /** The intervals in which a span begins or ends, by slot: of an hour and shorter. */
  private Map<Long, CountedInterval> ends(List<TimeSpan> spans) throws SQLException {
    Object[] slots =
        spans.stream()
            .flatMapToLong(span -> LongStream.of(span.from(), span.to()))
            .filter(at -> at != Long.MIN_VALUE && at != Long.MAX_VALUE)
            .boxed()
            .flatMap(at ->
                Stream.of(CountInterval.values())
                    .filter(interval -> !interval.alwaysHasParts())
                    .map(interval -> interval.slot(interval.number(at))))
            .distinct()
            .toArray();
    Map<Long, CountedInterval> ends = new HashMap<>();
    if (slots.length == 0) {
      return ends;
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE slot = ANY(?)"
                .formatted(CountedInterval.COLUMNS, table.name()))) {
      select.setArray(1, view.createArrayOf("BIGINT", slots));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          ends.put(row.getLong(1), CountedInterval.of(row));
        }
      }
    }
    return ends;
  }
}
