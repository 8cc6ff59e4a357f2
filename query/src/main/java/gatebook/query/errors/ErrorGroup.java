package gatebook.query.errors;

import gatebook.query.projection.EpochNanos;
import gatebook.query.trend.Trend;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A group of denials or of errors with equal values in the dimensions of the query.
 *
 * @param members the common values, by name; null for one that they lack
 * @param firstAt RFC 3339, UTC; the first one in the requested time; absent together with {@code
 *     lastAt} when the group is empty
 * @param lastCallId absent for floods, and when the group is empty
 * @param trend absent when a dimension is a part of the time
 * @param rate present when the trend compares the last hour with the day before it
 * @param sparkline the counts in equal parts of the requested time; empty for denials, and when a
 *     dimension is a part of the time
 */
public record ErrorGroup(
    Map<String, @Nullable Object> members,
    long count,
    @Nullable String firstAt,
    @Nullable String lastAt,
    @Nullable UUID lastCallId,
    @Nullable Trend trend,
    @Nullable Rate rate,
    List<Long> sparkline) {

  public ErrorGroup {
    members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    sparkline = List.copyOf(sparkline);
  }

  /**
   * The rate of errors.
   *
   * @param lastHour the count in the hour before the end of the requested time
   * @param dayBefore the count in the 24 hours before that hour
   * @param dayBeforeHours how many of these 24 hours the journal recorded
   */
  public record Rate(long lastHour, long dayBefore, double dayBeforeHours) {}

  /** The group of no denial. */
  static ErrorGroup empty(Map<String, @Nullable Object> members) {
    return new ErrorGroup(members, 0, null, null, null, Trend.UNCLEAR, null, List.of());
  }

  /** The value of a member as operators see it. */
  static @Nullable Object shown(String name, @Nullable String value) {
    if (value == null) {
      return null;
    }
    return switch (name) {
      case "code" -> ErrorKey.shownCode(value);
      case "fingerprint" -> ErrorKey.fingerprintText(Long.parseLong(value));
      case "minute", "hour", "day" -> EpochNanos.toInstant(Long.parseLong(value)).toString();
      default -> value;
    };
  }
}
