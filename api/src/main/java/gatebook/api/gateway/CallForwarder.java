package gatebook.api.gateway;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.RetryCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.call.SettleOutcome;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a call to its source, records each retry, maps what came back, and settles the call. The
 * reply is built when the ending is durable.
 */
final class CallForwarder {

  private final Gateway.Services services;
  private final CallIds callIds;
  private final DialectVersion dialectVersion;
  private final Rules rules;
  private final Instant receivedAt;
  private final CallProgress progress;
  private final ReplyBuilder replyBuilder;

  /** What is sent, and to which upstream; {@code listener} receives the server's own messages. */
  record UpstreamRequest(
      Upstream upstream, Upstream.Call call, Upstream.MessageListener listener) {}

  CallForwarder(
      Gateway.Services services,
      CallIds callIds,
      DialectVersion dialectVersion,
      Rules rules,
      Instant receivedAt,
      CallProgress progress,
      ReplyBuilder replyBuilder) {
    this.services = services;
    this.callIds = callIds;
    this.dialectVersion = dialectVersion;
    this.rules = rules;
    this.receivedAt = receivedAt;
    this.progress = progress;
    this.replyBuilder = replyBuilder;
  }

  /**
   * Forwards the call and settles it.
   *
   * @param beforeSettling receives what came back, before it is recorded
   */
  CompletableFuture<Reply> forward(
      Source source,
      Supplier<UpstreamRequest> request,
      CallerConnection connection,
      Consumer<Ended> beforeSettling) {
    progress.attempt(1);
    Instant sentAt = services.clock().instant();
    CompletableFuture<Ended> answer = guarded(() -> send(source, request.get()));
    return settleWhenAnswered(
        answer,
        connection,
        it -> {
          Ended ended = withOwnFault(source, it);
          beforeSettling.accept(ended);
          return settle(ended, millisSince(sentAt));
        });
  }

  private CompletableFuture<Ended> send(Source source, UpstreamRequest request) {
    return services
        .retries()
        .call(
            request.upstream,
            request.call,
            request.listener,
            rules.limits().inputRoundsMax(),
            (attempt, why) -> recordRetry(source, attempt, why));
  }

  /** Completed with whether the retry is recorded and still wanted. */
  private CompletableFuture<Boolean> recordRetry(Source source, int attempt, String why) {
    return services
        .commandSender()
        .send(
            new RetryCall(callIds.callId(), source.id(), rules.hash(), attempt, why),
            Boolean.class,
            rules)
        .thenApply(commandResult -> {
          boolean mayRetry =
              commandResult instanceof CommandResult.Stored<Boolean> && !progress.hasEnded();
          progress.attempt(mayRetry ? attempt : attempt - 1);
          return mayRetry;
        });
  }

  /** A source's own error becomes a fault of this gateway. */
  Ended withOwnFault(Source source, Ended ended) {
    return switch (ended) {
      case Ended.ForeignError error ->
          new Ended.Failure(services.upstreamErrors().apply(source, error));
      case Ended.Result _, Ended.Accepted _, Ended.Failure _, Ended.RepeatedError _ -> ended;
    };
  }

  /**
   * Settles the call when it is answered, unless its caller disconnects before: then abandons it.
   */
  CompletableFuture<Reply> settleWhenAnswered(
      CompletableFuture<Ended> answer,
      CallerConnection connection,
      Function<Ended, CompletableFuture<Reply>> settlement) {
    CallerConnection.Watch watch =
        connection.onDisconnect(cause -> abandon(cause, () -> answer.cancel(false)));
    return answer
        .handle(this::claim)
        .whenComplete((_, _) -> watch.end())
        .thenCompose(
            ended -> ended == null ? done(replyBuilder.accepted()) : settlement.apply(ended));
  }

  /** Ends the call with this answer; null when it has already ended. */
  private @Nullable Ended claim(@Nullable Ended answer, @Nullable Throwable failure) {
    if (!progress.end()) {
      return null;
    }
    if (failure != null) {
      throw new CompletionException(failure);
    }
    return answer;
  }

  /** Stops a call whose caller disconnected, and records that. */
  void abandon(CallAbandoned.Cause cause, Runnable stop) {
    if (progress.end()) {
      stop.run();
      services
          .outageRecorder()
          .record(new AbandonCall(callIds.callId(), cause, receivedAt, services.clock().instant()));
    }
  }

  /** {@code upstreamMillis} is absent for a call that was answered here. */
  CompletableFuture<Reply> settle(Ended ended, @Nullable Long upstreamMillis) {
    return switch (ended) {
      case Ended.Result(var json, boolean toolError, var missing) ->
          settle(
              new Ending.Result(CallAnswered.Outcome.of(toolError), json, missing),
              upstreamMillis,
              () -> replyBuilder.result(json));
      case Ended.Accepted() ->
          settle(
              new Ending.Result(CallAnswered.Outcome.SUCCESS, ""),
              upstreamMillis,
              replyBuilder::accepted);
      case Ended.Failure(var fault) ->
          settle(new Ending.Failure(fault), upstreamMillis, replyBuilder::accepted);
      case Ended.RepeatedError(var fault, var callId) ->
          settle(new Ending.Failure(fault, callId), upstreamMillis, replyBuilder::accepted);
      case Ended.ForeignError error ->
          settle(withOwnFault(rules.source(error.source()), error), upstreamMillis);
    };
  }

  /** Settles the call with a fault of this gateway. */
  CompletableFuture<Reply> fail(Fault fault) {
    return settle(new Ending.Failure(fault), null, replyBuilder::accepted);
  }

  private CompletableFuture<Reply> settle(
      Ending ending, @Nullable Long upstreamMillis, Supplier<Reply> answered) {
    return services
        .commandSender()
        .send(settleCommand(ending, upstreamMillis), SettleOutcome.class, rules)
        .thenApply(commandResult ->
            switch (commandResult) {
              case CommandResult.Refused<SettleOutcome>(var refusal) ->
                  replyBuilder.unrecorded(refusal);
              case CommandResult.Stored<SettleOutcome>(SettleOutcome.Answered()) -> answered.get();
              case CommandResult.Stored<SettleOutcome>(
                      SettleOutcome.Failed(var fault, var errorResponse)) ->
                  failed(ending, fault, errorResponse);
            });
  }

  private Reply failed(Ending ending, Fault fault, ErrorResponse errorResponse) {
    UUID firstCallId = ending instanceof Ending.Failure failure ? failure.firstCallId() : null;
    return firstCallId == null
        ? replyBuilder.error(fault, errorResponse, null)
        : replyBuilder.repeatedError(fault, errorResponse, firstCallId);
  }

  private SettleCall settleCommand(Ending ending, @Nullable Long upstreamMillis) {
    CallProgress.Point now = progress.point();
    return new SettleCall(
        callIds.callId(),
        callIds.correlationId(),
        dialectVersion,
        receivedAt,
        now.target(),
        ending,
        now.attempts(),
        upstreamMillis,
        rules.hash());
  }

  private long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, services.clock().instant()).toMillis());
  }

  static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }

  /**
   * Turns also an exception that is thrown before there is a future into a failed one. The future
   * returned is the step's own, because cancelling a dependent one would not reach it.
   */
  static <T> CompletableFuture<T> guarded(Supplier<CompletableFuture<T>> step) {
    try {
      return step.get();
    } catch (RuntimeException | Error failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }
}
