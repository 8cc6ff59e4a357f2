package gatebook.api.flow.task;

import java.time.Duration;

/**
 * How often a task is tried, with delays that double from one attempt to the next.
 *
 * @param attemptsMax with the first
 */
public record TaskRetry(int attemptsMax, Duration initialDelay, Duration delayMax) {

  /** A shift by more would overflow; any delay is at its maximum long before. */
  private static final int DOUBLINGS_MAX = 20;

  /**
   * The delay after an attempt.
   *
   * @param attempt from 1
   */
  public Duration delayAfter(int attempt) {
    Duration delay = initialDelay.multipliedBy(1L << Math.min(attempt - 1, DOUBLINGS_MAX));
    return delay.compareTo(delayMax) < 0 ? delay : delayMax;
  }
}
