package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Tries again what was not begun, after a pause; and at once, with what it had to know, what the
 * source itself wants to be asked once more.
 */
public final class Retries {

  /** The pauses before the second and the third attempt. */
  public static final List<Long> PAUSES_MILLIS = List.of(100L, 400L);

  private static final String WANTS_MORE = "it had to know more";

  private final ScheduledExecutorService scheduler;
  private final List<Long> pausesMillis;

  /** Comes before each attempt after the first. */
  @FunctionalInterface
  public interface BeforeAttempt {

    /**
     * Records that it is about to be made.
     *
     * @param attempt 2 for the second
     * @param afterFailure why the attempt before came to nothing
     * @return whether it is to be made
     */
    CompletableFuture<Boolean> record(int attempt, String afterFailure);
  }

  public Retries(ScheduledExecutorService scheduler) {
    this(scheduler, PAUSES_MILLIS);
  }

  public Retries(ScheduledExecutorService scheduler, List<Long> pausesMillis) {
    this.scheduler = scheduler;
    this.pausesMillis = pausesMillis;
  }

  /**
   * Makes the first attempt at once. Cancelling the future gives up the attempt under way, and none
   * is made any more.
   */
  public CompletableFuture<Ended> call(
      Upstream upstream, Call call, Aside aside, BeforeAttempt before) {
    return call(upstream, call, aside, GatewayLimits.DEFAULT.inputRoundsMax(), before);
  }

  /** The same; the source may want to be asked once more for so many times. */
  public CompletableFuture<Ended> call(
      Upstream upstream, Call call, Aside aside, int roundsMax, BeforeAttempt before) {
    Calling calling = new Calling(upstream, aside, roundsMax, before);
    calling.attempt(new At(call, 1, 0, 0));
    return calling.ended;
  }

  /**
   * Where a call is.
   *
   * @param attempt counted from 1
   * @param pauses since somebody was last reached
   * @param rounds in which the source wanted to know more
   */
  private record At(Call call, int attempt, int pauses, int rounds) {
    At afterPause() {
      return new At(call, attempt + 1, pauses + 1, rounds);
    }

    At with(Call next) {
      return new At(next, attempt + 1, 0, rounds + 1);
    }
  }

  private final class Calling {
    private final Upstream upstream;
    private final Aside aside;
    private final int roundsMax;
    private final BeforeAttempt before;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();

    Calling(Upstream upstream, Aside aside, int roundsMax, BeforeAttempt before) {
      this.upstream = upstream;
      this.aside = aside;
      this.roundsMax = roundsMax;
      this.before = before;
    }

    void attempt(At at) {
      CompletableFuture<Response> underWay = upstream.call(at.call, aside);
      CompletableFuture<Ended> _ = ended.whenComplete((_, _) -> underWay.cancel(false));
      failing(underWay.thenAccept(response -> after(at, response)));
    }

    private void after(At at, Response response) {
      switch (response) {
        case Ended end -> ended.complete(end);
        case Response.NotConnected(var reason) when at.pauses == pausesMillis.size() ->
            ended.complete(notConnected(at, reason));
        case Response.NotConnected(var reason) -> pause(at, reason);
        case Response.Again _ when at.rounds == roundsMax -> ended.complete(unanswered(at));
        case Response.Again(var next) -> prepare(at.with(next), WANTS_MORE, unanswered(at));
      }
    }

    private void pause(At at, String reason) {
      ScheduledFuture<?> _ =
          scheduler.schedule(
              () -> prepare(at.afterPause(), reason, notConnected(at, reason)),
              pausesMillis.get(at.pauses),
              TimeUnit.MILLISECONDS);
    }

    /** {@code otherwise} is how it ended when the next attempt is not made. */
    private void prepare(At next, String reason, Ended otherwise) {
      if (!ended.isDone()) {
        failing(
            CompletableFuture.completedFuture(reason)
                .thenCompose(why -> before.record(next.attempt, why))
                .thenAccept(goOn -> go(goOn, next, otherwise)));
      }
    }

    private void go(boolean on, At next, Ended otherwise) {
      if (on && !ended.isDone()) {
        attempt(next);
      } else {
        ended.complete(otherwise);
      }
    }

    private Ended notConnected(At at, String reason) {
      return new Ended.Failure(
          new UpstreamConnectionFailed(upstream.source(), upstream.endpoint(), reason, at.attempt));
    }

    private Ended unanswered(At at) {
      String words = "it had to know more %d times, and has not answered".formatted(at.rounds + 1);
      return new Ended.Failure(new UpstreamError(upstream.source(), null, words, null, null));
    }

    private void failing(CompletableFuture<Void> step) {
      CompletableFuture<Void> _ =
          step.whenComplete((_, failure) -> {
            if (failure != null) {
              ended.completeExceptionally(failure);
            }
          });
    }
  }
}
