package gatebook.query.faults;

import gatebook.query.projection.ColumnFilter;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lists the error responses that match a filter, newest first. The result is a {@link
 * FaultQueries.FaultPage}.
 *
 * @param after the cursor from the previous page
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record ListFaults(Filter filter, OptionalLong after, int limit, long atLeast) {

  /**
   * A filter for error responses: a group of {@link GroupFaults} has those of its fingerprint, one
   * of {@link CompareFaultRates} or {@link CountFaults} those that match its members.
   *
   * @param since recorded at or after this time
   * @param until recorded before this time
   * @param fingerprint that of a group
   * @param agent filters leave out all errors but those of agents, and so does {@code skill}
   */
  public record Filter(
      Optional<Instant> since,
      Optional<Instant> until,
      Optional<String> fingerprint,
      ColumnFilter dialect,
      ColumnFilter code,
      ColumnFilter fault,
      ColumnFilter gate,
      ColumnFilter target,
      ColumnFilter agent,
      ColumnFilter skill) {

    public static final Filter ALL =
        new Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING);
  }
}
