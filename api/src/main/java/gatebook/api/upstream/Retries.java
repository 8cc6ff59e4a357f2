package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Retries a call after a pause when nothing of it was sent, and resends it at once when the
 * upstream asks for more input and got it.
 */
public final class Retries {

  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(Duration.ofMillis(100), 4, Duration.ofMillis(400), 2);

  private static final String INPUT_REQUIRED = "it asked for more input";

  private final ScheduledExecutorService scheduler;
  private final RetrySchedule schedule;

  /** Runs before each attempt after the first. */
  @FunctionalInterface
  public interface BeforeAttempt {

    /**
     * Records that an attempt is about to be made.
     *
     * @param attempt 2 for the second
     * @param afterFailure why the attempt before did not succeed
     * @return whether the attempt may be made
     */
    CompletableFuture<Boolean> record(int attempt, String afterFailure);
  }

  public Retries(ScheduledExecutorService scheduler) {
    this(scheduler, SCHEDULE);
  }

  public Retries(ScheduledExecutorService scheduler, RetrySchedule schedule) {
    this.scheduler = scheduler;
    this.schedule = schedule;
  }

  /**
   * Makes the first attempt at once. Cancelling the future cancels the attempt in progress and
   * prevents further ones.
   */
  public CompletableFuture<Ended> call(
      Upstream upstream, Call call, MessageListener listener, BeforeAttempt before) {
    return call(
        upstream, call, listener, GatewayLimits.DEFAULT.getInt(Limit.INPUT_ROUNDS_MAX), before);
  }

  /** The same; {@code roundsMax} limits how often the upstream may ask for more input. */
  public CompletableFuture<Ended> call(
      Upstream upstream, Call call, MessageListener listener, int roundsMax, BeforeAttempt before) {
    RetriedCall retriedCall = new RetriedCall(upstream, listener, roundsMax, before);
    retriedCall.attempt(new CurrentAttempt(call, 1, 0, 0));
    return retriedCall.ended;
  }

  /**
   * The current attempt of a call.
   *
   * @param number counted from 1
   * @param pauses since the upstream was last reached
   * @param rounds in which the upstream asked for more input
   */
  private record CurrentAttempt(Call call, int number, int pauses, int rounds) {
    CurrentAttempt afterPause() {
      return new CurrentAttempt(call, number + 1, pauses + 1, rounds);
    }

    CurrentAttempt resend(Call next) {
      return new CurrentAttempt(next, number + 1, 0, rounds + 1);
    }
  }

  private final class RetriedCall {
    private final Upstream upstream;
    private final MessageListener listener;
    private final int roundsMax;
    private final BeforeAttempt before;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();

    RetriedCall(Upstream upstream, MessageListener listener, int roundsMax, BeforeAttempt before) {
      this.upstream = upstream;
      this.listener = listener;
      this.roundsMax = roundsMax;
      this.before = before;
    }

    void attempt(CurrentAttempt current) {
      CompletableFuture<Response> pending = upstream.call(current.call, listener, before);
      CompletableFuture<Ended> _ = ended.whenComplete((_, _) -> pending.cancel(false));
      failOnError(pending.thenAccept(response -> onResponse(current, response)));
    }

    private void onResponse(CurrentAttempt current, Response response) {
      switch (response) {
        case Ended end -> ended.complete(end);
        case Response.NotConnected(var reason) when schedule.isLast(current.pauses + 1) ->
            ended.complete(notConnected(current, reason));
        case Response.NotConnected(var reason) -> pause(current, reason);
        case Response.Resend _ when current.rounds == roundsMax ->
            ended.complete(tooManyRounds(current));
        case Response.Resend(var next) ->
            recordAndAttempt(current.resend(next), INPUT_REQUIRED, tooManyRounds(current));
      }
    }

    private void pause(CurrentAttempt current, String reason) {
      ScheduledFuture<?> _ =
          scheduler.schedule(
              () -> recordAndAttempt(current.afterPause(), reason, notConnected(current, reason)),
              schedule.pauseAfter(current.pauses + 1).toMillis(),
              TimeUnit.MILLISECONDS);
    }

    /** {@code otherwise} is the result when the next attempt is not made. */
    private void recordAndAttempt(CurrentAttempt next, String reason, Ended otherwise) {
      if (!ended.isDone()) {
        failOnError(
            CompletableFuture.completedFuture(reason)
                .thenCompose(why -> before.record(next.number, why))
                .thenAccept(isAllowed -> attemptOrEnd(isAllowed, next, otherwise)));
      }
    }

    private void attemptOrEnd(boolean isAllowed, CurrentAttempt next, Ended otherwise) {
      if (isAllowed && !ended.isDone()) {
        attempt(next);
      } else {
        ended.complete(otherwise);
      }
    }

    private Ended notConnected(CurrentAttempt current, String reason) {
      return new Ended.Failure(
          new UpstreamConnectionFailed(
              upstream.source(), upstream.endpoint(), reason, current.number));
    }

    private Ended tooManyRounds(CurrentAttempt current) {
      String words = "it asked for input %d times and did not answer".formatted(current.rounds + 1);
      return new Ended.Failure(new UpstreamError(upstream.source(), null, words, null, null));
    }

    private void failOnError(CompletableFuture<Void> step) {
      CompletableFuture<Void> _ =
          step.whenComplete((_, failure) -> {
            if (failure != null) {
              ended.completeExceptionally(failure);
            }
          });
    }
  }
}
