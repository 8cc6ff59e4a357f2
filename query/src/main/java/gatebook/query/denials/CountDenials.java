package gatebook.query.denials;

import java.time.Instant;
import java.util.List;

/**
 * Counts the denials that match a filter. The result is a {@link DenialQueries.Counts}.
 *
 * @param by the dimensions to group by; the gate when empty
 * @param now the time of the query, where the trend ends unless the filter's time ends before
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record CountDenials(
    ListDenials.Filter filter, List<DenialDimension> by, Instant now, int limit, long atLeast) {
  public CountDenials {
    by = by.isEmpty() ? List.of(DenialDimension.GATE) : by.stream().distinct().toList();
  }
}
