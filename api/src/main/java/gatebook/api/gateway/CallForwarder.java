package gatebook.api.gateway;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.Reply;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.api.upstream.mcp.McpMethod;
import gatebook.command.call.AbandonCall;
import gatebook.command.call.CallOutcome;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.rules.Source;
import gatebook.events.CallAbandoned;
import gatebook.events.call.ErrorResponse;
import gatebook.events.fault.Fault;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a call whose caller waits to its source, and settles it. The reply is built when the
 * ending is durable.
 */
final class CallForwarder {

  private final GatewayCore.Services services;
  private final ReceivedMessage message;
  private final CallProgress progress;
  private final SourceForwarder sourceForwarder;
  private final ReplyBuilder replyBuilder;

  CallForwarder(GatewayCore.Services services, ReceivedMessage message, ReplyBuilder replyBuilder) {
    this.services = services;
    this.message = message;
    this.progress = message.progress();
    this.sourceForwarder =
        new SourceForwarder(
            services,
            message.ids(),
            message::principalName,
            message.dialectVersion(),
            message.receivedAt(),
            progress);
    this.replyBuilder = replyBuilder;
  }

  /**
   * Forwards the call and settles it.
   *
   * @param beforeSettling receives what came back, before it is recorded
   */
  CompletableFuture<Reply> forward(
      Source source,
      Supplier<SourceForwarder.UpstreamRequest> request,
      CallerConnection connection,
      Consumer<Ended> beforeSettling) {
    Instant sentAt = services.clock().instant();
    CompletableFuture<Ended> answer = sourceForwarder.send(source, message.rules(), request);
    return settleWhenAnswered(
        answer,
        connection,
        it -> {
          message.incoming().memory().add(sizeOf(it));
          Ended ended = withOwnFault(source, it);
          beforeSettling.accept(ended);
          return settle(ended, sourceForwarder.millisSince(sentAt));
        });
  }

  /** The size of what came back and goes on to the caller. */
  private static long sizeOf(Ended ended) {
    return switch (ended) {
      case Ended.Result(var json, _, _) -> json.length();
      case Ended.Streamed(var last, boolean lastSent, _, _) -> lastSent ? 0 : last.length();
      case Ended.ForeignError error -> error.data() == null ? 0 : error.data().toString().length();
      case Ended.Accepted _, Ended.Failure _, Ended.EarlierError _ -> 0;
    };
  }

  /** A source's own error becomes a fault of this gateway. */
  Ended withOwnFault(Source source, Ended ended) {
    return sourceForwarder.withOwnFault(source, ended);
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
    return orWhenStopping(answer)
        .handle(this::claim)
        .whenComplete((_, _) -> watch.end())
        .thenCompose(
            ended -> ended == null ? done(replyBuilder.accepted()) : settlement.apply(ended));
  }

  private CompletableFuture<Ended> orWhenStopping(CompletableFuture<Ended> answer) {
    return message.isOfCaller()
        ? services
            .callsInFlight()
            .orWhenStopping(
                message.call().method().equals(McpMethod.SUBSCRIPTIONS_LISTEN)
                    ? CallsInFlight.Wait.LONG
                    : CallsInFlight.Wait.ANSWER,
                answer,
                () -> done(sourceForwarder.stopped()))
        : answer;
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
      replyBuilder.tellOutcome(new CallOutcome.Abandoned());
      services
          .outageRecorder()
          .record(
              new AbandonCall(
                  message.callId(), cause, message.receivedAt(), services.clock().instant()));
    }
  }

  /** {@code upstreamMillis} is absent for a call that was answered here. */
  CompletableFuture<Reply> settle(Ended ended, @Nullable Long upstreamMillis) {
    return settle(
        sourceForwarder.ending(ended, message.rules()), upstreamMillis, () -> answered(ended));
  }

  private Reply answered(Ended ended) {
    return switch (ended) {
      case Ended.Result(var json, _, var missing) -> {
        missing.forEach(this::report);
        yield replyBuilder.result(json);
      }
      case Ended.Streamed(var last, boolean lastSent, _, _) when !lastSent ->
          replyBuilder.result(last);
      case Ended _ -> replyBuilder.accepted();
    };
  }

  private void report(MissingPart part) {
    if (withOwnFault(part.source(), part.failure()) instanceof Ended.Failure(var fault)) {
      replyBuilder.reportMissing(part.source(), fault);
    }
  }

  /** Settles the call with a fault of this gateway. */
  CompletableFuture<Reply> fail(Fault fault) {
    return settle(new Ending.Failure(fault), null, replyBuilder::accepted);
  }

  private CompletableFuture<Reply> settle(
      Ending ending, @Nullable Long upstreamMillis, Supplier<Reply> answered) {
    return services
        .commandSender()
        .send(
            sourceForwarder.settleCommand(ending, upstreamMillis, message.rules()),
            CallOutcome.class,
            message.rules())
        .thenApply(commandResult ->
            switch (commandResult) {
              case CommandResult.Refused<CallOutcome>(var refusal) ->
                  replyBuilder.unrecorded(refusal);
              case CommandResult.Stored<CallOutcome>(
                      CallOutcome.Failed(var fault, var errorResponse)) ->
                  failed(ending, fault, errorResponse);
              case CommandResult.Stored<CallOutcome>(var outcome) -> {
                replyBuilder.tellOutcome(outcome);
                yield answered.get();
              }
            });
  }

  private Reply failed(Ending ending, Fault fault, ErrorResponse errorResponse) {
    UUID firstCallId = ending instanceof Ending.Failure failure ? failure.firstCallId() : null;
    return firstCallId == null
        ? replyBuilder.error(fault, errorResponse, null)
        : replyBuilder.earlierError(fault, errorResponse, firstCallId);
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
