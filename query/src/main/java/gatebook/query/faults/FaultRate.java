package gatebook.query.faults;

import gatebook.query.trend.Trend;
import java.util.List;

/**
 * The rate of the faults of a count.
 *
 * @param trend compares the last hour with the day before it
 * @param lastHour the count in the hour before the end of the requested time
 * @param dayBefore the count in the 24 hours before that hour
 * @param dayBeforeHours how many of these 24 hours the journal recorded
 * @param sparkline the counts in equal parts of the requested time
 */
public record FaultRate(
    FaultCount faultCount,
    Trend trend,
    long lastHour,
    long dayBefore,
    double dayBeforeHours,
    List<Long> sparkline) {

  public FaultRate {
    sparkline = List.copyOf(sparkline);
  }
}
