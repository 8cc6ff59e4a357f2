package gatebook.api.gateway;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.gateway.GatewayCore.Services;
import gatebook.api.gateway.message.Caller;
import gatebook.api.gateway.message.ClientChannel;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CredentialMask;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.IncomingMessage;
import gatebook.api.gateway.message.Reply;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.command.call.PassReply;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entry of the gateway: accepts every message and returns its one reply, after what the reply says
 * is recorded.
 *
 * <p>The futures never fail: any failure in here becomes an error response in the caller's dialect.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final long REPORT_MILLIS = 1_000;
  private static final Fault OVERLOADED = new ServiceUnavailable(Cause.OVERLOADED, 1L);

  /** How long closing waits for the ends of calls: a journal that hangs does not keep it open. */
  private static final long CLOSE_MILLIS_MAX = 1_000;

  private final GatewayCore core;
  private final Services services;
  private final Map<Dialect, DialectHandler> handlers;

  /** A gateway for the dialects of these handlers. */
  public Gateway(GatewayCore core, List<DialectHandler> handlers) {
    this.core = core;
    this.services = core.services;
    this.handlers = byDialect(handlers);
    ScheduledFuture<?> _ =
        services
            .timer()
            .scheduleWithFixedDelay(
                this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
  }

  static Map<Dialect, DialectHandler> byDialect(List<DialectHandler> handlers) {
    return handlers.stream()
        .collect(toUnmodifiableMap(DialectHandler::dialect, Function.identity()));
  }

  public CompletableFuture<Reply> serve(Dialect dialect, IncomingMessage incomingMessage) {
    return pipeline(dialect, incomingMessage).reply();
  }

  /**
   * A reply that is still to come, for transports that send something before it.
   *
   * @param correlationId that of the reply
   */
  public record PendingReply(String correlationId, CompletableFuture<Reply> reply) {}

  /** Starts to serve a message. */
  public PendingReply start(Dialect dialect, IncomingMessage incomingMessage) {
    CallPipeline callPipeline = pipeline(dialect, incomingMessage);
    return new PendingReply(callPipeline.correlationId(), callPipeline.reply());
  }

  /** The name of a caller's principal; empty when its token is unknown. */
  public Optional<String> principal(Caller caller) {
    return switch (CallerIdentities.of(caller, services.routingSnapshots().get().rules())) {
      case Identity.Known(var principal, _) -> Optional.of(principal.name());
      case Identity.Unknown _ -> Optional.empty();
    };
  }

  /**
   * Records a source's messages to a client that belong to no running call.
   *
   * @param callId of the call that opened the channel
   * @param principal the name of the client's principal
   */
  public MessageListener messageRecorder(
      ClientChannel clientChannel, UUID callId, String principal, Source source) {
    return new ServerMessageRecorder(
        services, clientChannel, callId, principal, source, services.routingSnapshots().get());
  }

  /** Records a client's reply to a request of a source; completed with whether it is recorded. */
  public CompletableFuture<Boolean> recordReply(
      UUID callId,
      String principal,
      Source source,
      String requestId,
      boolean isError,
      String content) {
    Rules rules = services.routingSnapshots().get().rules();
    PassReply reply =
        new PassReply(
            callId,
            principal,
            source.id(),
            CredentialMask.maskAndCut(requestId),
            isError,
            content,
            rules.hash());
    return services
        .commandSender()
        .send(reply, Boolean.class, rules)
        .thenApply(commandResult -> commandResult instanceof CommandResult.Stored<Boolean>);
  }

  /**
   * The reply to a message that could not be read because of a failure of this gateway.
   *
   * @param correlationId the id that the caller sent, unchecked
   * @param dialectVersion the version of the dialect that the caller declared, unchecked
   */
  public CompletableFuture<Reply> failed(
      Dialect dialect,
      Throwable failure,
      Transport transport,
      Caller caller,
      @Nullable String correlationId,
      @Nullable String dialectVersion) {
    RpcMessage noMessage = new RpcMessage.Unreadable(new ParseError(ParseDefect.EMPTY, null), null);
    IncomingMessage unread =
        new IncomingMessage(
            noMessage,
            0,
            transport,
            caller,
            correlationId,
            null,
            dialectVersion,
            ClientChannel.NONE,
            Map.of());
    return pipeline(dialect, unread).failed(failure);
  }

  /** The reply to a message with a fault that was found elsewhere, once that is recorded. */
  public CompletableFuture<Reply> refused(
      Dialect dialect, IncomingMessage incomingMessage, Fault fault) {
    return pipeline(dialect, incomingMessage).refused(fault);
  }

  /** The reply to a message with a fault that cannot be recorded now. */
  public Reply unrecorded(Dialect dialect, IncomingMessage incomingMessage, Fault fault) {
    return pipeline(dialect, incomingMessage).unrecorded(fault);
  }

  /** Counts a message that was refused because there was no memory for it. */
  public void countOverload(Dialect dialect, Transport transport) {
    services.refusalThrottle().count(dialect, transport, OVERLOADED);
  }

  /**
   * The reply to a message for which there was no memory; it is counted, and has no record of its
   * own.
   *
   * @param id the token of its id; absent when it was not found
   */
  public Reply overload(Dialect dialect, Transport transport, @Nullable String id) {
    countOverload(dialect, transport);
    Malformed unread = new ParseError(ParseDefect.EMPTY, null);
    return pipeline(
            dialect, IncomingMessage.unread(new RpcMessage.Unreadable(unread, id), transport))
        .counted(OVERLOADED);
  }

  /** The calls that wait for approval. */
  public HeldCalls heldCalls() {
    return services.heldCalls();
  }

  /** How many calls are in flight; those that trees make and tasks that wait are none. */
  public int callsInFlight() {
    return services.callsInFlight().count();
  }

  /** How many of these calls have ended since the start. */
  public long callsEnded() {
    return services.callsInFlight().ended();
  }

  /** Completed when no call is in flight. */
  public CompletableFuture<Void> noCallInFlight() {
    return services.callsInFlight().none();
  }

  /**
   * Ends, because the node stops, what does not end soon: calls that wait for a person, unless they
   * are tasks, and subscriptions.
   */
  public void endLongCalls() {
    services.heldCalls().stop();
    services.callsInFlight().endLongWaits();
  }

  /** Ends the calls in flight, whose callers get an error once it is recorded; returns how many. */
  public int endCalls() {
    return services.callsInFlight().endAll();
  }

  /** Takes over a task that a dead process left open. */
  public void takeOver(UUID callId) {
    core.backgroundCalls.takeOver(callId);
  }

  /**
   * Tries once more to record what could not be recorded, waits for what is being recorded, and
   * stops the timer.
   */
  @Override
  public void close() {
    report();
    services
        .outageRecorder()
        .attempted()
        .completeOnTimeout(null, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .join();
    services.timer().shutdownNow();
  }

  /** Catches exceptions, because one would end the schedule. */
  private void report() {
    try {
      services.refusalThrottle().report();
      services.outageRecorder().report();
      services.heldCalls().resumeAll();
      core.backgroundCalls.takeOverAll();
    } catch (RuntimeException e) {
      LOG.error("cannot record refusal counts", e);
    }
  }

  private CallPipeline pipeline(Dialect dialect, IncomingMessage incomingMessage) {
    DialectHandler handler =
        Objects.requireNonNull(handlers.get(dialect), "every dialect has a handler");
    return new CallPipeline(core, handler, incomingMessage, core.callIds.next());
  }
}
