package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.ExchangeResult.TimedOut;
import gatebook.api.upstream.http.Timeouts;
import java.util.concurrent.TimeUnit;

/**
 * The time that a request to an agent has in all: its retries, and the search for the card before
 * it, included.
 *
 * @param startNanos when the first of them began
 */
public record RequestTime(long startNanos) {

  /** Begins now. */
  public static RequestTime start() {
    return new RequestTime(System.nanoTime());
  }

  /** What is left of the time until an answer must be there. */
  long leftMillis(Timeouts all) {
    long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    return all.answerMillis() - passed;
  }

  /** The timeouts of an attempt that begins now. */
  Timeouts left(Timeouts all) {
    return new Timeouts(
        Math.max(1, leftMillis(all)),
        all.silenceMillis(),
        all.notifiedMillis(),
        all.streamMillis());
  }

  /** The result of an attempt: one that had no more time exceeded the timeout as a whole. */
  static ExchangeResult whole(ExchangeResult result, Timeouts attempt, Timeouts all) {
    return result instanceof TimedOut(long millis) && millis == attempt.answerMillis()
        ? new TimedOut(all.answerMillis())
        : result;
  }
}
