package gatebook.query.calls;

import java.util.List;

/** What looking up an id ends in. */
public sealed interface LookupResult {

  /**
   * The calls it stands for, newest first.
   *
   * @param more whether it stands for older calls, too
   */
  record Found(List<CallView> calls, boolean more) implements LookupResult {
    public Found {
      calls = List.copyOf(calls);
    }
  }

  /** No call up to this position is known by it. */
  record NeverSeen(long position) implements LookupResult {}

  /** No call up to {@code position} is known by it, and the view should have come further. */
  record NotProjectedYet(long position, long awaited) implements LookupResult {}

  /** It stands for calls, of which nothing was recorded yet at the time that was asked about. */
  record CameLater() implements LookupResult {}
}
