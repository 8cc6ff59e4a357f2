package gatebook.query.errors;

import gatebook.query.counts.CountInterval;
import gatebook.query.counts.Tally;
import gatebook.query.errors.ErrorGroup.Rate;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The trends of groups, from their counts in parts of a time. */
final class ErrorTrends {
  private static final long HOUR = CountInterval.HOUR.nanos();
  private static final long DAY = CountInterval.DAY.nanos();

  private final ErrorTallies tallies;
  private final GroupOf groupOf;
  private final Map<GroupValues, Tally> groups;
  private final TimeSpan span;
  private final TimeSpan recorded;
  private final TimeSpan.Halves halves;

  /** The counts in the earlier and in the later half. */
  private Map<GroupValues, long[]> inHalves = Map.of();

  private Map<GroupValues, long[]> sparklines = Map.of();

  /** The counts in the day before the last hour, and in that hour. */
  private Map<GroupValues, long[]> inDayAndHour = Map.of();

  /** The group that has a tally in a part of the time. */
  @FunctionalInterface
  interface GroupOf {
    GroupValues of(long part, Map<String, @Nullable String> values);
  }

  /**
   * @param groups those that are shown
   * @param recorded what the journal recorded
   */
  ErrorTrends(
      ErrorTallies tallies,
      GroupOf groupOf,
      Map<GroupValues, Tally> groups,
      TimeSpan span,
      TimeSpan recorded) {
    this.tallies = tallies;
    this.groupOf = groupOf;
    this.groups = groups;
    this.span = span;
    this.recorded = recorded;
    this.halves = span.halves(recorded);
  }

  /** Reads the counts that a comparison needs. */
  void read(CountErrors.Comparison comparison) throws SQLException {
    switch (comparison) {
      case NONE -> {}
      case HALVES -> readHalves();
      case PARTS -> sparklines = counts(span.parts());
      case RATES -> {
        sparklines = counts(span.parts());
        // they end with the span, and may begin before it
        long hour = Math.max(0, span.to() - HOUR);
        inDayAndHour =
            counts(
                List.of(
                    new TimeSpan(Math.max(0, hour - DAY), hour), new TimeSpan(hour, span.to())));
      }
    }
  }

  /** Reads the later half only where it is not what the earlier one leaves. */
  private void readHalves() throws SQLException {
    TimeSpan earlier = halves.earlier().within(span);
    TimeSpan later = halves.later().within(span);
    boolean areAll =
        later.from() == earlier.to()
            && groups.values().stream()
                .allMatch(it -> earlier.from() <= it.firstAt() && it.lastAt() < later.to());
    inHalves = counts(areAll ? List.of(earlier, new TimeSpan(0, 0)) : List.of(earlier, later));
    if (areAll) {
      groups.forEach((group, tally) -> {
        long[] counts = Objects.requireNonNull(inHalves.get(group));
        counts[1] = tally.times() - counts[0];
      });
    }
  }

  private Map<GroupValues, long[]> counts(List<TimeSpan> spans) throws SQLException {
    Map<GroupValues, long[]> counts = new HashMap<>();
    if (groups.isEmpty()) {
      return counts;
    }
    groups.keySet().forEach(group -> counts.put(group, new long[spans.size()]));
    tallies.read(
        spans,
        (part, values, tally) -> {
          long[] ofGroup = counts.get(groupOf.of(part, values));
          if (ofGroup != null) {
            ofGroup[(int) part] += tally.times();
          }
        });
    return counts;
  }

  /** Absent when the groups have none. */
  @Nullable Trend trend(GroupValues group) {
    Rate rate = rate(group);
    if (rate != null) {
      return Trend.ofRates(rate.lastHour(), rate.dayBefore(), recordedDayBefore());
    }
    long[] sparkline = sparklines.get(group);
    if (sparkline != null) {
      return Trend.of(sparkline, span.recordedParts(recorded));
    }
    long[] counts = inHalves.get(group);
    return counts == null ? null : Trend.ofHalves(counts[0], counts[1], halves.nanos());
  }

  /** Absent where the last hour is not compared. */
  @Nullable Rate rate(GroupValues group) {
    long[] counts = inDayAndHour.get(group);
    return counts == null
        ? null
        : new Rate(counts[1], counts[0], (double) recordedDayBefore() / HOUR);
  }

  /** How much of the day before the last hour the journal recorded. */
  private long recordedDayBefore() {
    long to = Math.min(span.to() - HOUR, recorded.to());
    return Math.max(0, to - Math.max(span.to() - HOUR - DAY, recorded.from()));
  }

  List<Long> sparkline(GroupValues group) {
    return Arrays.stream(sparklines.getOrDefault(group, new long[0])).boxed().toList();
  }
}
