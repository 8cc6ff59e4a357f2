package gatebook.api.border;

import static java.util.stream.Collectors.toUnmodifiableMap;

import gatebook.api.border.Identities.Identity;
import gatebook.api.rpc.Members;
import gatebook.api.rpc.Message;
import gatebook.api.upstream.Attempts;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Ended.ForeignError;
import gatebook.command.CallId;
import gatebook.command.Telling;
import gatebook.command.question.PassReply;
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
public final class Border implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Border.class);
  private static final long REPORT_MILLIS = 1_000;

  private final CallId callIds;
  private final Map<Dialect, Methods> methods;
  private final Tools tools;
  private final Errands errands;
  private final ScheduledExecutorService timer;

  /** What every passage works with. */
  record Tools(
      Decisions decisions,
      Supplier<Ground> ground,
      Attempts attempts,
      BiFunction<Source, ForeignError, ? extends Fault> foreignErrors,
      Rates rates,
      Holds holds,
      Outages outages,
      Floods floods,
      Telling telling,
      ErrorBook errors,
      InstantSource clock,
      ScheduledExecutorService timer) {}

  /**
   * Serves the dialects of the methods given.
   *
   * @param seats those that held calls take
   * @param foreignErrors makes a fault of a source's own error
   */
  public Border(
      CommandGateway commands,
      List<Methods> methods,
      Supplier<Ground> ground,
      HeldSeats seats,
      BiFunction<Source, ForeignError, ? extends Fault> foreignErrors,
      Telling telling,
      ErrorBook errors,
      InstantSource clock) {
    Decisions decisions = new Decisions(commands);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("border-timer").daemon().factory());
    this.callIds = new CallId(clock);
    this.methods =
        methods.stream().collect(toUnmodifiableMap(Methods::dialect, Function.identity()));
    this.tools =
        new Tools(
            decisions,
            ground,
            new Attempts(timer),
            foreignErrors,
            new Rates(System::nanoTime),
            new Holds(decisions, () -> ground.get().rules(), clock, timer, seats),
            new Outages(decisions, clock),
            new Floods(decisions, clock),
            telling,
            errors,
            clock,
            timer);
    this.errands = new Errands(tools, this.methods);
    ScheduledFuture<?> _ =
        timer.scheduleWithFixedDelay(
            this::report, REPORT_MILLIS, REPORT_MILLIS, TimeUnit.MILLISECONDS);
  }

  public CompletableFuture<Reply> serve(Dialect dialect, Incoming incoming) {
    return passage(dialect, incoming).reply();
  }

  /**
   * The same, for whoever has something to say before the reply is there.
   *
   * @param correlationId as the reply has it
   */
  public record Serving(String correlationId, CompletableFuture<Reply> reply) {}

  /** Begins to serve a message. */
  public Serving begin(Dialect dialect, Incoming incoming) {
    Passage passage = passage(dialect, incoming);
    return new Serving(passage.correlationId(), passage.reply());
  }

  /** The name of whoever sent a message; none when he is not known. */
  public Optional<String> principal(Caller caller) {
    return switch (Identities.of(caller, tools.ground().get().rules())) {
      case Identity.Known(var principal, _) -> Optional.of(principal.name());
      case Identity.Unknown _ -> Optional.empty();
    };
  }

  /**
   * Takes what a source says to somebody that belongs to no call under way.
   *
   * @param callId of the call that the conversation began with
   */
  public Aside aside(Conversation conversation, UUID callId, Source source) {
    return new Asides(tools, conversation, callId, source, tools.ground().get());
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
        .thenApply(recorded -> recorded instanceof Recorded.Done<Boolean>);
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
    Message nothing = new Message.Unreadable(new ParseError(ParseDefect.EMPTY, null), null);
    Incoming unread =
        new Incoming(
            nothing,
            0,
            transport,
            caller,
            correlationId,
            null,
            dialectVersion,
            Conversation.NONE,
            Map.of());
    return passage(dialect, unread).failed(failure);
  }

  /** The reply to a message with a fault that was found elsewhere, once that is recorded. */
  public CompletableFuture<Reply> refused(Dialect dialect, Incoming incoming, Fault fault) {
    return passage(dialect, incoming).refused(fault);
  }

  /** The same where there cannot be a record now. */
  public Reply unrecorded(Dialect dialect, Incoming incoming, Fault fault) {
    return passage(dialect, incoming).unrecorded(fault);
  }

  /** The calls that wait for a person. */
  public Holds holds() {
    return tools.holds();
  }

  /** Goes on with a task that a process left which is no more. */
  public void takeOver(UUID callId) {
    errands.takeOver(callId);
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
      errands.takeOverAll();
    } catch (RuntimeException e) {
      LOG.error("what was counted could not be reported", e);
    }
  }

  private Passage passage(Dialect dialect, Incoming incoming) {
    Methods spoken = Objects.requireNonNull(methods.get(dialect), "a dialect not spoken here");
    Members members = incoming.message().members();
    Names names = Names.of(callIds.next(), incoming, members);
    return new Passage(tools, errands, spoken, incoming, members, names);
  }
}
