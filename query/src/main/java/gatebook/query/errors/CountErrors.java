package gatebook.query.errors;

import java.time.Instant;
import java.util.List;

/**
 * Counts the denials or the errors that match a filter, in groups. The result is an {@link
 * ErrorQueries.ErrorCounts}.
 *
 * @param filter its time is from the first match on, and up to now, where it has none
 * @param by the dimensions to group by. By default, denials are grouped by their gate, and errors
 *     by all that they have in common, so that each group is a fingerprint
 * @param now the time of the query
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record CountErrors(
    ErrorFilter filter, List<ErrorDimension> by, Instant now, int limit, long atLeast) {
  public CountErrors {
    by = by.stream().distinct().toList();
    if (!filter.counted().dimensions().containsAll(by)) {
      throw new IllegalArgumentException("no dimensions of " + filter.counted() + ": " + by);
    }
  }

  /** What the trend of a group compares. */
  enum Comparison {
    /** Groups of a part of the time have no trend. */
    NONE,
    /** The halves of the time. */
    HALVES,
    /** The halves of the time, which has a sparkline. */
    PARTS,
    /** The last hour with the day before it, and there is a sparkline. */
    RATES
  }

  Comparison comparison() {
    if (by.stream().anyMatch(ErrorDimension::isTime)) {
      return Comparison.NONE;
    }
    return switch (filter.counted()) {
      case DENIALS -> Comparison.HALVES;
      case ERRORS -> by.isEmpty() ? Comparison.PARTS : Comparison.RATES;
    };
  }

  /** The dimensions to group by, at least one. */
  List<ErrorDimension> dimensions() {
    return by.isEmpty() ? List.of(filter.counted().dimensions().getFirst()) : by;
  }
}
