package gatebook.query.calls;

import java.util.List;

/** What looking up an id ends in. */
public sealed interface Lookup {

  /**
   * The calls it stands for, newest first.
   *
   * @param more whether it stands for older calls, too
   */
  record Found(List<Call> calls, boolean more) implements Lookup {
    public Found {
      calls = List.copyOf(calls);
    }
  }

  /** No call up to this position is known by it. */
  record NeverSeen(long position) implements Lookup {}

  /** No call up to {@code position} is known by it, and the view should have come further. */
  record NotProjectedYet(long position, long awaited) implements Lookup {}

  /** It stands for calls, of which nothing was recorded yet at the time that was asked about. */
  record CameLater() implements Lookup {}
}
