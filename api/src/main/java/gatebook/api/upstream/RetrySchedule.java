package gatebook.api.upstream;

import java.time.Duration;

/**
 * The schedule of retries: how many there are, and how long each waits.
 *
 * @param first the pause before the first retry
 * @param factor by which each further pause is longer
 * @param longest no pause is longer
 * @param retriesMax attempts after the first one
 */
public record RetrySchedule(Duration first, double factor, Duration longest, int retriesMax) {

  public RetrySchedule {
    if (first.isNegative() || factor < 1 || longest.isNegative() || retriesMax < 0) {
      throw new IllegalArgumentException("a schedule has no negative pauses or retries");
    }
  }

  /** A schedule whose pauses double. */
  public static RetrySchedule doubling(Duration first, Duration longest, int retriesMax) {
    return new RetrySchedule(first, 2, longest, retriesMax);
  }

  /** Whether no retry follows this attempt; the first is 1. */
  public boolean isLast(int attempt) {
    return attempt > retriesMax;
  }

  /** The pause between this attempt and the next; the first attempt is 1. */
  public Duration pauseAfter(int attempt) {
    double nanos = first.toNanos() * Math.pow(factor, attempt - 1);
    Duration pause = Duration.ofNanos((long) nanos);
    return pause.compareTo(longest) < 0 ? pause : longest;
  }
}
