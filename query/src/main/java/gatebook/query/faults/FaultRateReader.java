package gatebook.query.faults;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.query.trend.TimeSpan;
import gatebook.query.trend.Trend;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Reads the rates of faults from the view. */
final class FaultRateReader {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);
  private static final long DAY = TimeUnit.DAYS.toNanos(1);

  private final Connection view;
  private final RateFaults query;
  private final TimeSpan span;
  private final TimeSpan recorded;
  private final Map<Map<String, JsonNode>, Parts> parts = new HashMap<>();

  /** {@code recorded} is what the journal recorded. */
  FaultRateReader(Connection view, RateFaults query, TimeSpan span, TimeSpan recorded) {
    this.view = view;
    this.query = query;
    this.span = span;
    this.recorded = recorded;
  }

  /** The counts of a group in parts of the time. */
  private static final class Parts {
    private final long[] sparkline = new long[TimeSpan.PARTS];
    private long lastHour;
    private long dayBefore;
  }

  /** The groups with the most faults in the span, and at most so many; the largest first. */
  List<FaultRate> read(int limit) throws SQLException {
    FaultCountReader inSpan = reader(span);
    List<FaultCount> counts = inSpan.read(limit);
    counts.forEach(it -> parts.put(it.members(), new Parts()));
    inSpan.readParts(
        "(at - %d) / %d".formatted(span.from(), span.partNanos()),
        (members, part, count) -> {
          Parts group = parts.get(members);
          if (group != null) {
            group.sparkline[(int) part] += count;
          }
        });
    // the rates end with the span, and may begin before it
    reader(new TimeSpan(Math.max(0, span.to() - HOUR - DAY), span.to()))
        .readParts(
            "CASE WHEN at >= %d THEN 1 ELSE 0 END".formatted(span.to() - HOUR),
            (members, part, count) -> {
              Parts group = parts.get(members);
              if (group != null && part == 1) {
                group.lastHour = count;
              } else if (group != null) {
                group.dayBefore = count;
              }
            });
    return counts.stream().map(this::rate).toList();
  }

  private FaultCountReader reader(TimeSpan timeSpan) {
    return new FaultCountReader(view, query.by(), query.filter().within(timeSpan));
  }

  private FaultRate rate(FaultCount faultCount) {
    Parts group = parts.getOrDefault(faultCount.members(), new Parts());
    long recordedNanos = recordedDayBefore();
    return new FaultRate(
        faultCount,
        Trend.ofRates(group.lastHour, group.dayBefore, recordedNanos),
        group.lastHour,
        group.dayBefore,
        (double) recordedNanos / HOUR,
        Arrays.stream(group.sparkline).boxed().toList());
  }

  /** How much of the day before the last hour the journal recorded. */
  private long recordedDayBefore() {
    long to = Math.min(span.to() - HOUR, recorded.to());
    return Math.max(0, to - Math.max(span.to() - HOUR - DAY, recorded.from()));
  }
}
