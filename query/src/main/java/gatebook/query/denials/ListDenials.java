package gatebook.query.denials;

import gatebook.query.projection.ColumnFilter;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Lists the denials that match a filter, newest first. The result is a {@link
 * DenialQueries.DenialPage}.
 *
 * @param after the cursor from the previous page
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record ListDenials(Filter filter, OptionalLong after, int limit, long atLeast) {

  /**
   * A filter for denials: a group of {@link CountDenials} has the denials that match its members.
   *
   * @param since recorded at or after this time
   * @param until recorded before this time
   */
  public record Filter(
      Optional<Instant> since,
      Optional<Instant> until,
      ColumnFilter gate,
      ColumnFilter tool,
      ColumnFilter principal,
      ColumnFilter reason,
      ColumnFilter dialect,
      ColumnFilter code) {

    public static final Filter ALL =
        new Filter(
            Optional.empty(),
            Optional.empty(),
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING,
            ColumnFilter.ANYTHING);
  }
}
