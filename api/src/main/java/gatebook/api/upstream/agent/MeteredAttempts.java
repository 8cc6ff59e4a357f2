package gatebook.api.upstream.agent;

import gatebook.api.upstream.agent.client.Attempt;
import gatebook.api.upstream.agent.client.AttemptListener;
import java.util.concurrent.CompletableFuture;

/** The attempts of one request, each of which is measured before another listener gets it. */
final class MeteredAttempts implements AttemptListener {
  private final AttemptMeter meter;
  private final boolean isCall;
  private final AttemptListener delegate;
  private volatile AttemptMeter.Sample sample = _ -> {};

  /**
   * No attempt has begun.
   *
   * @param isCall whether the request is a call; another one is measured only when an attempt fails
   *     so that no call is possible now
   */
  MeteredAttempts(AttemptMeter meter, boolean isCall, AttemptListener delegate) {
    this.meter = meter;
    this.isCall = isCall;
    this.delegate = delegate;
  }

  @Override
  public void onBegin() {
    sample = meter.start();
    delegate.onBegin();
  }

  @Override
  public CompletableFuture<Boolean> onAttempt(Attempt attempt) {
    if (isCall || attempt.result() == Attempt.Result.TRANSIENT) {
      sample.stop(attempt.failure());
    }
    return delegate.onAttempt(attempt);
  }
}
