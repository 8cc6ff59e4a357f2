package gatebook.api.upstream;

import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.Response;
import gatebook.events.fault.UpstreamFault.UpstreamConnectionFailed;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Tries again what was not begun, after a pause, and nothing else. */
public final class Attempts {

  /** The pauses before the second and the third attempt. */
  public static final List<Long> PAUSES_MILLIS = List.of(100L, 400L);

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

  public Attempts(ScheduledExecutorService scheduler) {
    this(scheduler, PAUSES_MILLIS);
  }

  Attempts(ScheduledExecutorService scheduler, List<Long> pausesMillis) {
    this.scheduler = scheduler;
    this.pausesMillis = pausesMillis;
  }

  /**
   * Makes the first attempt at once. Cancelling the future gives up the attempt under way, and none
   * is made any more.
   */
  public CompletableFuture<Ended> call(
      Upstream upstream, Call call, Aside aside, BeforeAttempt before) {
    Calling calling = new Calling(upstream, call, aside, before);
    calling.attempt(1);
    return calling.ended;
  }

  private final class Calling {
    private final Upstream upstream;
    private final Call call;
    private final Aside aside;
    private final BeforeAttempt before;
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();

    Calling(Upstream upstream, Call call, Aside aside, BeforeAttempt before) {
      this.upstream = upstream;
      this.call = call;
      this.aside = aside;
      this.before = before;
    }

    void attempt(int number) {
      CompletableFuture<Response> underWay = upstream.call(call, aside);
      CompletableFuture<Ended> _ = ended.whenComplete((_, _) -> underWay.cancel(false));
      failing(underWay.thenAccept(response -> after(number, response)));
    }

    private void after(int number, Response response) {
      switch (response) {
        case Ended end -> ended.complete(end);
        case Response.NotConnected(var reason) when number > pausesMillis.size() ->
            giveUp(number, reason);
        case Response.NotConnected(var reason) -> pause(number, reason);
      }
    }

    private void pause(int number, String reason) {
      ScheduledFuture<?> _ =
          scheduler.schedule(
              () -> prepare(number, reason), pausesMillis.get(number - 1), TimeUnit.MILLISECONDS);
    }

    private void prepare(int number, String reason) {
      if (!ended.isDone()) {
        failing(
            CompletableFuture.completedFuture(reason)
                .thenCompose(why -> before.record(number + 1, why))
                .thenAccept(goOn -> go(goOn, number, reason)));
      }
    }

    private void go(boolean on, int number, String reason) {
      if (on && !ended.isDone()) {
        attempt(number + 1);
      } else {
        giveUp(number, reason);
      }
    }

    private void giveUp(int attempts, String reason) {
      ended.complete(
          new Ended.Failure(
              new UpstreamConnectionFailed(
                  upstream.source(), upstream.endpoint(), reason, attempts)));
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
