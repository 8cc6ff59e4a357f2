package gatebook.query.errors;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

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
      case DENIALS, OBSERVED -> Comparison.HALVES;
      case ERRORS -> by.isEmpty() ? Comparison.PARTS : Comparison.RATES;
    };
  }

  /**
   * Whether the counts are exact although events were dropped: of those, only counts by whole hours
   * are left, and only by what is kept of them.
   */
  public boolean isExactWithDropped() {
    List<String> members =
        dimensions().stream()
            .filter(dimension -> !dimension.isTime())
            .flatMap(dimension -> dimension.members().stream())
            .toList();
    return filter.countsDropped(members)
        && !dimensions().contains(ErrorDimension.MINUTE)
        && isHour(filter.since())
        && isHour(filter.until().filter(it -> it.isBefore(now)));
  }

  private static boolean isHour(Optional<Instant> time) {
    return time.filter(it -> !it.equals(it.truncatedTo(ChronoUnit.HOURS))).isEmpty();
  }

  /** The dimensions to group by, at least one. */
  List<ErrorDimension> dimensions() {
    return by.isEmpty() ? List.of(filter.counted().dimensions().getFirst()) : by;
  }
}
