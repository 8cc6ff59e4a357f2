package gatebook.query.calls;

import gatebook.query.call.CallView;
import java.util.List;

/** The result of looking up an id. */
public sealed interface LookupResult {

  /**
   * The calls that have the id, newest first.
   *
   * @param more whether older calls have the id, too
   */
  record Found(List<CallView> calls, boolean more) implements LookupResult {
    public Found {
      calls = List.copyOf(calls);
    }
  }

  /** No call up to this position has the id. */
  record NeverSeen(long position) implements LookupResult {}

  /**
   * No call up to {@code position} has the id, and the view did not reach {@code awaited} in time.
   */
  record NotProjectedYet(long position, long awaited) implements LookupResult {}

  /** Calls have the id, but none of their events was recorded at the requested time. */
  record CameLater() implements LookupResult {}
}
