package gatebook.query.denials;

import gatebook.query.projection.EpochNanos;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts the denials of a time span. The result is a {@link DenialQueries.Counts}.
 *
 * @param since recorded at or after this time
 * @param until recorded before this time
 * @param by the dimensions to group by; the gate when empty
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record CountDenials(
    Optional<Instant> since,
    Optional<Instant> until,
    List<DenialDimension> by,
    int limit,
    long atLeast) {
  public CountDenials {
    by = by.isEmpty() ? List.of(DenialDimension.GATE) : by.stream().distinct().toList();
  }

  long from() {
    return since.map(EpochNanos::of).orElse(Long.MIN_VALUE);
  }

  long to() {
    return until.map(EpochNanos::of).orElse(Long.MAX_VALUE);
  }
}
