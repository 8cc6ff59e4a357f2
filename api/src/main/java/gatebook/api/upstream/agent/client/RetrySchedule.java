package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The schedule of retries: when a failed attempt is followed by another one.
 *
 * @param firstMillis the pause before the first retry
 * @param factor by which each further pause is longer
 * @param jitter the largest part of a pause that chance adds or takes away, from 0 to 1
 * @param retriesMax attempts after the first one
 * @param retryAfterMillisMax the longest pause that an agent may ask for; after a longer one there
 *     is no retry
 */
public record RetrySchedule(
    long firstMillis, double factor, double jitter, int retriesMax, long retryAfterMillisMax) {

  /** Pauses of 100, 200 and 400 ms, each up to a fifth shorter or longer. */
  public static final RetrySchedule DEFAULT = new RetrySchedule(100, 2, 0.2, 3, 2_000);

  private static final int TOO_MANY_REQUESTS = 429;

  public RetrySchedule {
    if (firstMillis < 0 || factor < 1 || jitter < 0 || jitter > 1 || retriesMax < 0) {
      throw new IllegalArgumentException("a schedule has no negative pauses or retries");
    }
  }

  /**
   * The pause after a failed attempt that may be retried; empty when it was the last one.
   *
   * @param attempts made so far
   * @param random from 0 to 1
   */
  OptionalLong pauseMillis(AgentFailure failure, int attempts, double random) {
    if (attempts > retriesMax) {
      return OptionalLong.empty();
    }
    double pause = firstMillis * Math.pow(factor, attempts - 1);
    long millis = Math.round(pause * (1 - jitter + 2 * jitter * random));
    return switch (failure) {
      case HttpError(_, Long seconds) when seconds != null -> longer(millis, seconds);
      case HttpError(int status, _) when status == TOO_MANY_REQUESTS -> OptionalLong.empty();
      case AgentFailure _ -> OptionalLong.of(millis);
    };
  }

  private OptionalLong longer(long millis, long retryAfterSeconds) {
    long wanted = TimeUnit.SECONDS.toMillis(retryAfterSeconds);
    return wanted > retryAfterMillisMax
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(millis, wanted));
  }
}
