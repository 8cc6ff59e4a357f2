package gatebook.query.projection;

import gatebook.events.journal.Journal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The followers of the journal for the views of one file: in normal operation one, which feeds all.
 *
 * <p>A build that is far behind has a follower of its own, and so has one for which a page failed
 * while others went on. Two followers that are near each other become one: the one behind takes the
 * builds of the other, which skip what they have.
 */
final class ViewFollowers {
  /** How many events a build that answers queries waits for one that is behind. */
  private static final long NEAR_EVENTS_MAX = 1_000;

  /** As many, while no build answers queries: reading them again costs less than two readers. */
  private static final long NEAR_EVENTS_MAX_OF_NEW = 100_000;

  private static final long STOP_SECONDS_MAX = 10;

  private final ViewWriting writing;

  /** Changed in turns of writing only. */
  private final List<JournalFollower> followers = new ArrayList<>();

  private volatile CompletableFuture<Void> stopped = CompletableFuture.completedFuture(null);

  ViewFollowers(ViewWriting writing) {
    this.writing = writing;
  }

  /** Has a build follow the journal from its position on. */
  void follow(Journal journal, EventReader events, ViewBuild build) throws SQLException {
    writing.change(() -> {
      start(new JournalFollower(this, writing, journal, events, List.of(build)));
      return true;
    });
  }

  private void start(JournalFollower follower) {
    followers.add(follower);
    merge(follower);
    if (followers.contains(follower)) {
      follower.start();
    }
  }

  /** Called in the turn in which a follower advanced, with the builds that did not. */
  void advanced(JournalFollower follower, List<ViewBuild> failed) {
    if (!failed.isEmpty()) {
      follower.remove(failed);
      start(follower.another(failed));
    }
    merge(follower);
  }

  private void merge(JournalFollower follower) {
    for (JournalFollower other : List.copyOf(followers)) {
      if (other != follower && followers.contains(follower) && areNear(follower, other)) {
        boolean isBehind = follower.position() < other.position();
        JournalFollower ahead = isBehind ? other : follower;
        (isBehind ? follower : other).add(ahead.builds());
        stop(ahead);
      }
    }
  }

  private static boolean areNear(JournalFollower one, JournalFollower other) {
    JournalFollower ahead = one.position() < other.position() ? other : one;
    boolean answers = ahead.builds().stream().anyMatch(ViewBuild::isComplete);
    return !one.isFailing()
        && !other.isFailing()
        && isNear(Math.abs(one.position() - other.position()), answers);
  }

  /**
   * Whether the follower ahead waits for the one behind.
   *
   * @param events how many events are between them
   * @param answers whether a build of the follower ahead answers queries
   */
  static boolean isNear(long events, boolean answers) {
    return events <= (answers ? NEAR_EVENTS_MAX : NEAR_EVENTS_MAX_OF_NEW);
  }

  private void stop(JournalFollower follower) {
    followers.remove(follower);
    stopped = CompletableFuture.allOf(stopped, follower.stop());
  }

  /** Ends following; the last build of a follower stops it. */
  void leave(ViewBuild build) {
    writing.finish(() -> {
      for (JournalFollower follower : List.copyOf(followers)) {
        follower.remove(List.of(build));
        if (follower.builds().isEmpty()) {
          stop(follower);
        }
      }
    });
    awaitStopped();
  }

  /** Waits, for a limited time, until the followers that were stopped read no more. */
  private void awaitStopped() {
    stopped.copy().orTimeout(STOP_SECONDS_MAX, TimeUnit.SECONDS).exceptionally(_ -> null).join();
  }
}
