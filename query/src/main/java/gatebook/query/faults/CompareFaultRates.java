package gatebook.query.faults;

import java.time.Instant;
import java.util.List;

/**
 * Compares the rates of the faults that match a filter, in groups: the last hour with the day
 * before it. The last hour ends with the filter's time. The result is a {@link FaultQueries.Rates}.
 *
 * @param filter its time is from the first error on, and up to now, where it has none
 * @param by the dimensions to group by, at least one; none is a part of the time
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record CompareFaultRates(
    ListFaults.Filter filter, List<FaultDimension> by, Instant now, int limit, long atLeast) {
  public CompareFaultRates {
    by = by.stream().distinct().toList();
    if (by.stream().anyMatch(FaultDimension::isTime)) {
      throw new IllegalArgumentException("a part of the time has no rate: " + by);
    }
  }
}
