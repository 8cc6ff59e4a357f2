package gatebook.api.gateway;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.gateway.CallerIdentities.Identity;
import gatebook.api.rpc.ObjectMembers;
import gatebook.api.rpc.RpcMessage;
import gatebook.api.upstream.Retries;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.call.CallIdGenerator;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.PassReply;
import gatebook.command.rules.Source;
import gatebook.events.call.Dialect;
import gatebook.events.call.Transport;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Malformed.ParseDefect;
import gatebook.events.fault.Malformed.ParseError;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every message, and gives each its one reply, after what the reply says is recorded.
 *
 * <p>The futures never fail: whatever goes wrong in here, the caller is told so in its dialect.
 */
public final class Gateway implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final long REPORT_MILLIS = 1_000;

  private final CallIdGenerator callIds;
  private final Map<Dialect, DialectHandler> methods;
  private final Tools tools;
  private final BackgroundCalls backgroundCalls;
  private final ScheduledExecutorService timer;

  /** What every passage works with. */
  record Tools(
      CommandSender decisions,
      Supplier<RoutingSnapshot> ground,
      Retries attempts,
      BiFunction<Source, ForeignError, ? extends Fault> foreignErrors,
      RateLimiter rates,
      HeldCalls holds,
      OutageRecorder outages,
      RefusalThrottle floods,
      FaultTranslator telling,
      ErrorReporter errors,
      InstantSource clock,
      ScheduledExecutorService timer) {}

  /**
   * Serves the dialects of the methods given.
   *
   * @param seats those that held calls take
   * @param foreignErrors makes a fault of a source's own error
   */
  public Gateway(
      CommandGateway commands,
      List<DialectHandler> methods,
      Supplier<RoutingSnapshot> ground,
      NodeHoldQuota seats,
      BiFunction<Source, ForeignError, ? extends Fault> foreignErrors,
      FaultTranslator faultTranslator,
      ErrorReporter errors,
      InstantSource clock) {
    CommandSender commandSender = new CommandSender(commands);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("border-timer").daemon().factory());
    this.callIds = new CallIdGenerator(clock);
    this.methods =
        methods.stream().collect(toUnmodifiableMap(DialectHandler::dialect, Function.identity()));
    this.tools =
        new Tools(
            commandSender,
            ground,
            new Retries(timer),
            foreignErrors,
            new RateLimiter(System::nanoTime),
            new HeldCalls(commandSender, () -> ground.get().rules(), clock, timer, seats),
            new OutageRecorder(commandSender, clock),
            new RefusalThrottle(commandSender, clock),
            faultTranslator,
            errors,
            clock,
            timer);
    this.backgroundCalls = new BackgroundCalls(tools, this.methods);
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
  }

  public CompletableFuture<Reply> serve(Dialect dialect, IncomingMessage incomingMessage) {
    return passage(dialect, incomingMessage).reply();
  }

  /**
   * The same, for whoever has something to say before the reply is there.
   *
   * @param correlationId as the reply has it
   */
  public record Serving(String correlationId, CompletableFuture<Reply> reply) {}

  /** Begins to serve a message. */
  public Serving begin(Dialect dialect, IncomingMessage incomingMessage) {
    CallPipeline callPipeline = passage(dialect, incomingMessage);
    return new Serving(callPipeline.correlationId(), callPipeline.reply());
  }

  /** The name of whoever sent a message; none when he is not known. */
  public Optional<String> principal(Caller caller) {
    return switch (CallerIdentities.of(caller, tools.ground().get().rules())) {
      case Identity.Known(var principal, _) -> Optional.of(principal.name());
      case Identity.Unknown _ -> Optional.empty();
    };
  }

  /**
   * Takes what a source says to somebody that belongs to no call under way.
   *
   * @param callId of the call that the conversation began with
   */
  public Aside aside(ClientChannel clientChannel, UUID callId, Source source) {
    return new ServerMessageRecorder(tools, clientChannel, callId, source, tools.ground().get());
  }

  /** Whether it is recorded what a caller answered to a question of a source's. */
  public CompletableFuture<Boolean> replied(
      UUID callId, Source source, String question, boolean isError, String content) {
    PassReply reply =
        new PassReply(
            callId, source.id(), question, isError, content, tools.ground().get().rules());
    return tools
        .decisions()
        .of(reply, Boolean.class)
        .thenApply(commandResult -> commandResult instanceof CommandResult.Done<Boolean>);
  }

  /**
   * The reply to a message that a fault of ours kept from being taken in.
   *
   * @param correlationId what the caller wants it to be called, unchecked
   * @param dialectVersion the version of the dialect that the caller says it speaks, unchecked
   */
  public CompletableFuture<Reply> failed(
      Dialect dialect,
      Throwable failure,
      Transport transport,
      Caller caller,
      @Nullable String correlationId,
      @Nullable String dialectVersion) {
    RpcMessage nothing = new RpcMessage.Unreadable(new ParseError(ParseDefect.EMPTY, null), null);
    IncomingMessage unread =
        new IncomingMessage(
            nothing,
            0,
            transport,
            caller,
            correlationId,
            null,
            dialectVersion,
            ClientChannel.NONE,
            Map.of());
    return passage(dialect, unread).failed(failure);
  }

  /** The reply to a message with a fault that was found elsewhere, once that is recorded. */
  public CompletableFuture<Reply> refused(
      Dialect dialect, IncomingMessage incomingMessage, Fault fault) {
    return passage(dialect, incomingMessage).refused(fault);
  }

  /** The same where there cannot be a record now. */
  public Reply unrecorded(Dialect dialect, IncomingMessage incomingMessage, Fault fault) {
    return passage(dialect, incomingMessage).unrecorded(fault);
  }

  /** The calls that wait for a person. */
  public HeldCalls holds() {
    return tools.holds();
  }

  /** Goes on with a task that a process left which is no more. */
  public void takeOver(UUID callId) {
    backgroundCalls.takeOver(callId);
  }

  /** Records once more what could not be recorded, and counts no longer. */
  @Override
  public void close() {
    report();
    timer.shutdownNow();
  }

  /** An exception would end the schedule. */
  private void report() {
    try {
      tools.floods().report();
      tools.outages().report();
      tools.holds().tryAll();
      backgroundCalls.takeOverAll();
    } catch (RuntimeException e) {
      LOG.error("what was counted could not be reported", e);
    }
  }

  private CallPipeline passage(Dialect dialect, IncomingMessage incomingMessage) {
    DialectHandler spoken =
        Objects.requireNonNull(methods.get(dialect), "a dialect not spoken here");
    ObjectMembers objectMembers = incomingMessage.message().members();
    CallIds names = CallIds.of(callIds.next(), incomingMessage, objectMembers);
    return new CallPipeline(tools, backgroundCalls, spoken, incomingMessage, objectMembers, names);
  }
}
