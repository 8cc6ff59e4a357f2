package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Reads the rates of faults, by reading their counts. */
final class FaultRateReader {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  private final FaultCountReader faultCountReader;
  private final TimeSpan span;
  private final TimeSpan recorded;
  private final Map<Map<String, JsonNode>, Parts> parts = new HashMap<>();

  /** {@code recorded} is what the journal recorded. */
  FaultRateReader(FaultCountReader faultCountReader, TimeSpan span, TimeSpan recorded) {
    this.faultCountReader = faultCountReader;
    this.span = span;
    this.recorded = recorded;
  }

  /** The counts of a group in parts of the time. */
  private static final class Parts {
    private final long[] sparkline = new long[TimeSpan.PARTS];

    /** The counts of the day before the last hour, and of that hour. */
    private final long[] rates = new long[2];
  }

  /** The groups with the most faults in the span, and at most so many; the largest first. */
  List<FaultRate> read(int limit) throws SQLException {
    List<FaultCount> counts = faultCountReader.read(span, limit);
    counts.forEach(it -> parts.put(it.members(), new Parts()));
    readParts(span.parts(), group -> group.sparkline);
    // the rates end with the span, and may begin before it
    long hour = Math.max(0, span.to() - HOUR);
    readParts(
        List.of(new TimeSpan(Math.max(0, hour - DAY), hour), new TimeSpan(hour, span.to())),
        group -> group.rates);
    return counts.stream().map(this::rate).toList();
  }

  private void readParts(List<TimeSpan> spans, Function<Parts, long[]> counts) throws SQLException {
    faultCountReader.readParts(
        spans,
        (members, part, count) -> {
          Parts group = parts.get(members);
          if (group != null) {
            counts.apply(group)[part] += count;
          }
        });
  }

  private FaultRate rate(FaultCount faultCount) {
    Parts group = parts.getOrDefault(faultCount.members(), new Parts());
    long recordedNanos = recordedDayBefore();
    return new FaultRate(
        faultCount,
        Trend.ofRates(group.rates[1], group.rates[0], recordedNanos),
        group.rates[1],
        group.rates[0],
        (double) recordedNanos / HOUR,
        Arrays.stream(group.sparkline).boxed().toList());
  }

  /** How much of the day before the last hour the journal recorded. */
  private long recordedDayBefore() {
    long to = Math.min(span.to() - HOUR, recorded.to());
    return Math.max(0, to - Math.max(span.to() - HOUR - DAY, recorded.from()));
  }
}
