package gatebook.query.faults;

import java.time.Instant;
import java.util.List;

/**
 * Counts the faults that match a filter, in groups. The result is a {@link
 * FaultQueries.FaultCounts}.
 *
 * @param filter its time is from the first error on, and up to now, where it has none
 * @param by the dimensions to group by, at least one
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record CountFaults(
    ListFaults.Filter filter, List<FaultDimension> by, Instant now, int limit, long atLeast) {
  public CountFaults {
    by = by.stream().distinct().toList();
  }
}
