package gatebook.query.faults;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Rates the faults of a time span: compares the last hour with the day before it, in groups. The
 * result is a {@link FaultQueries.Rates}.
 *
 * @param by the dimensions to group by, at least one
 * @param since recorded at or after this time; from the first error on when empty
 * @param until recorded before this time, where the last hour ends; up to now when empty
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record RateFaults(
    List<FaultDimension> by,
    Optional<Instant> since,
    Optional<Instant> until,
    Instant now,
    int limit,
    long atLeast) {
  public RateFaults {
    by = by.stream().distinct().toList();
  }
}
