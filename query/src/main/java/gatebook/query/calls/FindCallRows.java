package gatebook.query.calls;

import java.util.List;
import java.util.UUID;

/**
 * Finds calls by their own ids, without their events. The result is a {@link
 * CallQueries.FoundCallRows}.
 *
 * @param atLeast the position that the view must have reached; the query waits for it for a limited
 *     time
 */
public record FindCallRows(List<UUID> callIds, long atLeast) {
  public FindCallRows {
    callIds = List.copyOf(callIds);
  }
}
