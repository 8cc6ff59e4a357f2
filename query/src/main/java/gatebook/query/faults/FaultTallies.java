package gatebook.query.faults;

import gatebook.query.counts.CountReader;
import gatebook.query.counts.CountReader.TallyTaker;
import gatebook.query.counts.Tally;
import gatebook.query.projection.EpochNanos;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tallies of the faults that match a filter, read from the counts that the view keeps. */
final class FaultTallies {
  /** The order of groups by their tallies. */
  static final Comparator<Tally> LARGEST_FIRST =
      Comparator.comparingLong(Tally::times).thenComparingLong(Tally::lastPlace).reversed();

  private final Connection view;
  private final ListFaults.Filter filter;
  private final CountReader countReader;

  /** {@code by} are the dimensions by which the faults are grouped. */
  FaultTallies(Connection view, ListFaults.Filter filter, List<FaultDimension> by)
      throws SQLException {
    this.view = view;
    this.filter = filter;
    this.countReader =
        new CountReader(view, FaultRows.COUNTS, FaultSelection.columnFilter(filter, by));
  }

  /** Reads the tallies of each span; the filter's own time does not matter. */
  void read(List<TimeSpan> spans, TallyTaker tallyTaker) throws SQLException {
    countReader.read(spans, tallyTaker);
  }

  /** Reads the tallies of each part of the time by which faults are grouped. */
  void readEach(List<FaultDimension> by, TimeSpan span, TallyTaker tallyTaker) throws SQLException {
    var interval = FaultDimension.interval(by);
    if (interval.isPresent()) {
      countReader.readEach(interval.get(), span, tallyTaker);
    } else {
      countReader.read(List.of(span), tallyTaker);
    }
  }

  /** How often the faults occurred in the filter's time. */
  long total() throws SQLException {
    long[] total = new long[1];
    read(List.of(filterSpan()), (_, _, tally) -> total[0] += tally.times());
    return total[0];
  }

  /** The time of the first fault in the filter's time; 0 when there is none. */
  private long firstAt() throws SQLException {
    long[] first = {Long.MAX_VALUE};
    read(List.of(filterSpan()), (_, _, tally) -> first[0] = Math.min(first[0], tally.firstAt()));
    return first[0] == Long.MAX_VALUE ? 0 : first[0];
  }

  private TimeSpan filterSpan() {
    return TimeSpan.of(filter.since(), filter.until());
  }

  /** The time of the newest fault of all; 0 when there is none. */
  long lastAt() {
    return countReader.lastAt();
  }

  /** The filter's time: from the first fault on, and up to the end of the recorded time. */
  TimeSpan span(TimeSpan recorded) throws SQLException {
    long to = filter.until().map(EpochNanos::of).orElse(recorded.to());
    long from =
        filter.since().isPresent() ? EpochNanos.of(filter.since().get()) : Math.min(firstAt(), to);
    long begin = Math.max(0, from);
    return new TimeSpan(begin, Math.max(begin, to));
  }

  /** The calls with the faults at these places; a place of a flood has none. */
  Map<Long, Optional<UUID>> calls(Collection<Tally> tallies) throws SQLException {
    Map<Long, Optional<UUID>> calls = new HashMap<>();
    if (tallies.isEmpty()) {
      return calls;
    }
    try (PreparedStatement select =
        view.prepareStatement("SELECT place, call FROM faults WHERE place = ANY(?)")) {
      select.setArray(
          1, view.createArrayOf("BIGINT", tallies.stream().map(Tally::lastPlace).toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          @Nullable UUID call = row.getObject(2, UUID.class);
          calls.put(row.getLong(1), Optional.ofNullable(call));
        }
      }
    }
    return calls;
  }
}
