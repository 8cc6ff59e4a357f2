package gatebook.query.denials;

import gatebook.events.call.Gate;
import gatebook.query.denials.DenialQueries.Counts;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.View.Reached;
import gatebook.query.trend.RecordedTime;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Counts the denials of one query, from the counts that the view keeps if these are enough. */
final class DenialCounter {
  private final CountDenials query;
  private final DenialGrouping grouping;

  private DenialCounter(CountDenials query, DenialGrouping grouping) {
    this.query = query;
    this.grouping = grouping;
  }

  static DenialCounter of(Connection view, CountDenials query, RecordedTime recordedTime)
      throws SQLException {
    return canReadCounts(query)
        ? new DenialCounter(query, DenialTallyGrouping.read(view, query, recordedTime))
        : ofRows(view, query, recordedTime);
  }

  /** Counts the rows, also where the view keeps counts. */
  static DenialCounter ofRows(Connection view, CountDenials query, RecordedTime recordedTime) {
    return new DenialCounter(query, new DenialRowGrouping(view, query, recordedTime));
  }

  private static boolean canReadCounts(CountDenials query) {
    return DenialSelection.isCounted(query.filter())
        && query.by().stream().allMatch(DenialDimension::isCounted);
  }

  Counts count(Reached reached) throws SQLException {
    List<DenialGroup> groups = grouping.largest(query.limit() + 1);
    boolean more = groups.size() > query.limit();
    List<DenialGroup> shown = more ? groups.subList(0, query.limit()) : groups;
    return new Counts(
        reached, grouping.total(), isOfEveryGate() ? withEveryGate(shown) : shown, more);
  }

  private boolean isOfEveryGate() {
    return query.by().equals(List.of(DenialDimension.GATE))
        && query.filter().gate().equals(ColumnFilter.ANYTHING);
  }

  /**
   * The halves of the requested time, which begins with the first denial by default.
   *
   * @param newest the time of the newest denial of all
   * @param first the time of the first denial that matches the filter
   */
  static TimeSpan.Halves halves(
      CountDenials query, RecordedTime recordedTime, long newest, long first) {
    TimeSpan recorded = recordedTime.until(Math.max(EpochNanos.of(query.now()), newest + 1));
    long to = query.filter().until().map(EpochNanos::of).orElse(recorded.to());
    long from = Math.max(0, query.filter().since().map(EpochNanos::of).orElse(first));
    return new TimeSpan(Math.min(from, to), to).halves(recorded);
  }

  /** Adds the gates that denied nothing, with a count of zero. */
  private static List<DenialGroup> withEveryGate(List<DenialGroup> groups) {
    return Arrays.stream(Gate.values())
        .map(gate ->
            groups.stream()
                .filter(denialGroup -> gate.word().equals(denialGroup.members().get("gate")))
                .findFirst()
                .orElseGet(() ->
                    new DenialGroup(
                        Map.of("gate", gate.word()), 0, null, null, null, Trend.UNCLEAR)))
        .toList();
  }
}
