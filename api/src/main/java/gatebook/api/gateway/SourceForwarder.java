package gatebook.api.gateway;

import static gatebook.api.gateway.CallForwarder.guarded;

import gatebook.api.gateway.message.CallIds;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.api.upstream.Upstream.MissingPart;
import gatebook.command.call.DialectVersion;
import gatebook.command.call.RetryCall;
import gatebook.command.call.SettleCall;
import gatebook.command.call.SettleCall.Ending;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.CallAnswered;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forwards one call to its source, records each retry, and maps what came back to the command that
 * settles the call, whether its caller waits or it runs in the background.
 */
final class SourceForwarder {

  private final GatewayCore.Services services;
  private final CallIds callIds;
  private final Supplier<String> principal;
  private final DialectVersion dialectVersion;
  private final Instant receivedAt;
  private final CallProgress progress;

  /** What is sent, and to which upstream; {@code listener} receives the server's own messages. */
  record UpstreamRequest(
      Upstream upstream, Upstream.Call call, Upstream.MessageListener listener) {}

  SourceForwarder(
      GatewayCore.Services services,
      CallIds callIds,
      Supplier<String> principal,
      DialectVersion dialectVersion,
      Instant receivedAt,
      CallProgress progress) {
    this.services = services;
    this.callIds = callIds;
    this.principal = principal;
    this.dialectVersion = dialectVersion;
    this.receivedAt = receivedAt;
    this.progress = progress;
  }

  /** Sends the call; a failure to send comes back like any other failure. */
  CompletableFuture<Ended> send(Source source, Rules rules, Supplier<UpstreamRequest> request) {
    progress.attempt(1);
    return guarded(() -> send(source, rules, request.get()));
  }

  private CompletableFuture<Ended> send(Source source, Rules rules, UpstreamRequest request) {
    return services
        .retries()
        .call(
            request.upstream,
            request.call,
            request.listener,
            rules.limits().getInt(Limit.INPUT_ROUNDS_MAX),
            (attempt, why) -> recordRetry(source, rules, attempt, why));
  }

  /** Completed with whether the retry is recorded and still wanted. */
  private CompletableFuture<Boolean> recordRetry(
      Source source, Rules rules, int attempt, String why) {
    return services
        .commandSender()
        .send(
            new RetryCall(
                callIds.callId(),
                principal.get(),
                source.id(),
                rules.hash(),
                progress.point().target(),
                attempt,
                why),
            Boolean.class,
            rules)
        .thenApply(commandResult -> {
          boolean mayRetry =
              commandResult instanceof CommandResult.Stored<Boolean> && !progress.hasEnded();
          progress.attempt(mayRetry ? attempt : attempt - 1);
          return mayRetry;
        });
  }

  /** The end of the call when the node stops and does not wait for its answer any longer. */
  Ended stopped() {
    return new Ended.Failure(
        new ServiceUnavailable(
            progress.point().attempts() > 0 ? Cause.STOPPED : Cause.SHUTTING_DOWN, null));
  }

  /** A source's own error becomes a fault of this gateway. */
  Ended withOwnFault(Source source, Ended ended) {
    return switch (ended) {
      case Ended.ForeignError error ->
          new Ended.Failure(services.upstreamErrors().apply(source, error));
      case Ended.Result _,
          Ended.Streamed _,
          Ended.Accepted _,
          Ended.Failure _,
          Ended.EarlierError _ ->
          ended;
    };
  }

  /** The ending that the journal records. */
  Ending ending(Ended ended, Rules rules) {
    return switch (ended) {
      case Ended.Result(var json, boolean toolError, var missing) ->
          new Ending.Result(CallAnswered.Outcome.of(toolError), json, sources(missing), null);
      case Ended.Streamed(var last, _, boolean toolError, var stream) ->
          new Ending.Result(CallAnswered.Outcome.of(toolError), last, List.of(), stream);
      case Ended.Accepted() -> new Ending.Result(CallAnswered.Outcome.SUCCESS, "");
      case Ended.Failure(var fault) -> new Ending.Failure(fault);
      case Ended.EarlierError(var fault, var callId) -> new Ending.Failure(fault, callId);
      case Ended.ForeignError error ->
          ending(withOwnFault(rules.source(error.source()), error), rules);
    };
  }

  private static List<String> sources(List<MissingPart> missing) {
    return missing.isEmpty()
        ? List.of() // as nearly always
        : missing.stream().map(part -> part.source().id()).toList();
  }

  /** {@code upstreamMillis} is absent for a call that was answered here. */
  SettleCall settleCommand(Ending ending, @Nullable Long upstreamMillis, Rules rules) {
    CallProgress.Point now = progress.point();
    return new SettleCall(
        callIds.callId(),
        principal.get(),
        callIds.correlationId(),
        dialectVersion,
        receivedAt,
        now.target(),
        ending,
        now.attempts(),
        upstreamMillis,
        rules.hash());
  }

  long millisSince(Instant from) {
    return Math.max(0, Duration.between(from, services.clock().instant()).toMillis());
  }
}
