package gatebook.api.upstream.agent.client;

import gatebook.api.upstream.RetrySchedule;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request with its retries: makes attempts until one may not be retried. */
final class RetriedRequest<T> {

  private static final Logger LOG = LoggerFactory.getLogger(RetriedRequest.class);

  /** The largest part of a pause that chance adds or takes away. */
  private static final double JITTER = 0.2;

  /** The longest pause that an agent may ask for; after a longer one there is no retry. */
  private static final long RETRY_AFTER_MILLIS_MAX = 2_000;

  private static final int TOO_MANY_REQUESTS = 429;

  private final AgentSettings settings;
  private final AttemptListener attemptListener;
  private final LongSupplier leftMillis;
  private final boolean idempotent;
  private final Supplier<CompletableFuture<AttemptResult<T>>> attempt;
  private final CompletableFuture<AgentOutcome<T>> outcome = new CompletableFuture<>();

  /**
   * Makes no attempt yet.
   *
   * @param leftMillis of the time that all attempts have: none begins when it has passed
   * @param idempotent whether a second attempt does no harm when the first one had its effect
   */
  RetriedRequest(
      AgentSettings settings,
      AttemptListener attemptListener,
      LongSupplier leftMillis,
      boolean idempotent,
      Supplier<CompletableFuture<AttemptResult<T>>> attempt) {
    this.settings = settings;
    this.attemptListener = attemptListener;
    this.leftMillis = leftMillis;
    this.idempotent = idempotent;
    this.attempt = attempt;
  }

  /**
   * Makes the first attempt. Cancelling the future cancels the attempt in progress and prevents
   * further ones.
   */
  CompletableFuture<AgentOutcome<T>> start() {
    attempt(1);
    return outcome;
  }

  private void attempt(int number) {
    CompletableFuture<AttemptResult<T>> pending = begun();
    CompletableFuture<AgentOutcome<T>> _ = outcome.whenComplete((_, _) -> pending.cancel(false));
    CompletableFuture<Void> _ =
        pending
            .exceptionally(this::internalError)
            .thenCompose(result -> report(number, result))
            .exceptionally(failure -> {
              outcome.complete(internalError(failure).outcome());
              return null;
            });
  }

  private CompletableFuture<AttemptResult<T>> begun() {
    try {
      attemptListener.onBegin();
      return attempt.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Void> report(int number, AttemptResult<T> result) {
    OptionalLong pause = pauseMillis(number, result);
    return outcome.isDone()
        ? CompletableFuture.completedFuture(null)
        : attemptListener
            .onAttempt(reported(number, result, pause))
            .thenCompose(mayRetry ->
                mayRetry && pause.isPresent()
                    ? retryAfter(pause.getAsLong(), number + 1)
                    : end(result.outcome()));
  }

  private CompletableFuture<Void> retryAfter(long millis, int number) {
    return settings
        .timing()
        .pause()
        .pass(millis)
        .thenRun(() -> {
          if (!outcome.isDone()) {
            attempt(number);
          }
        });
  }

  private CompletableFuture<Void> end(AgentOutcome<T> last) {
    outcome.complete(last);
    return CompletableFuture.completedFuture(null);
  }

  private OptionalLong pauseMillis(int number, AttemptResult<T> result) {
    OptionalLong pause =
        result.allowsRetry(idempotent) && result.outcome() instanceof Failed<T>(var failure)
            ? pauseMillis(
                settings.schedule(), failure, number, settings.timing().random().getAsDouble())
            : OptionalLong.empty();
    return pause.isPresent() && pause.getAsLong() >= leftMillis.getAsLong()
        ? OptionalLong.empty()
        : pause;
  }

  /**
   * The pause after a failed attempt that may be retried; empty when it was the last one.
   *
   * @param random from 0 to 1
   */
  static OptionalLong pauseMillis(
      RetrySchedule schedule, AgentFailure failure, int attempt, double random) {
    if (schedule.isLast(attempt)) {
      return OptionalLong.empty();
    }
    long millis =
        Math.round(schedule.pauseAfter(attempt).toMillis() * (1 - JITTER + 2 * JITTER * random));
    return switch (failure) {
      case HttpError(_, Long seconds) when seconds != null -> longer(millis, seconds);
      case HttpError(int status, _) when status == TOO_MANY_REQUESTS -> OptionalLong.empty();
      case AgentFailure _ -> OptionalLong.of(millis);
    };
  }

  private static OptionalLong longer(long millis, long retryAfterSeconds) {
    long wanted = TimeUnit.SECONDS.toMillis(retryAfterSeconds);
    return wanted > RETRY_AFTER_MILLIS_MAX
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(millis, wanted));
  }

  private static Attempt reported(int number, AttemptResult<?> result, OptionalLong pause) {
    return new Attempt(
        number,
        result.result(),
        failure(result.outcome()),
        pause.isPresent() ? pause.getAsLong() : null);
  }

  private static @Nullable AgentFailure failure(AgentOutcome<?> outcome) {
    return switch (outcome) {
      case Success<?> _ -> null;
      case Failed<?>(var failure) -> failure;
    };
  }

  private AttemptResult<T> internalError(Throwable failure) {
    if (!outcome.isDone()) {
      LOG.atError().setCause(failure).log("a request to an agent failed within this process");
    }
    return AttemptResult.failed(new InternalError("the log has the error"));
  }
}
