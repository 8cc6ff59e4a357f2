package gatebook.command.call;

import gatebook.events.CallEvent;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.axonframework.eventsourcing.eventstore.AppendEventsTransactionRejectedException;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.SourcingCondition;
import org.axonframework.messaging.commandhandling.CommandHandler;
import org.axonframework.messaging.commandhandling.CommandMessage;
import org.axonframework.messaging.commandhandling.CommandResultMessage;
import org.axonframework.messaging.commandhandling.GenericCommandResultMessage;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.core.unitofwork.UnitOfWorkFactory;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Handles a command about one call: sources the call's state, decides, and appends the events. When
 * another event of the call was appended meanwhile, nothing is stored and the command is decided
 * again on the new state, so that each decision takes all earlier events into account. No thread
 * that serves callers is blocked.
 */
final class CallCommandHandler<C, R> implements CommandHandler {

  /** A call has few events, so few conflicts can occur. */
  static final int ATTEMPTS_MAX = 8;

  /**
   * Doubled for each further attempt: on a shared database, the conflicting event may become
   * visible late.
   */
  private static final long RETRY_PAUSE_MILLIS = 2;

  private static final ThreadFactory SOURCING_THREADS =
      Thread.ofVirtual().name("call-sourcing").factory();

  /** Sourcing waits for the disk, which threads that serve callers must not. */
  private static final Executor SOURCING = task -> SOURCING_THREADS.newThread(task).start();

  private final Class<C> type;
  private final Function<C, UUID> callId;
  private final BiFunction<C, CallState, Decision<R>> decider;
  private final MessageType resultType;
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  CallCommandHandler(
      Class<C> type,
      Function<C, UUID> callId,
      BiFunction<C, CallState, Decision<R>> decider,
      MessageType resultType) {
    this.type = type;
    this.callId = callId;
    this.decider = decider;
    this.resultType = resultType;
  }

  @Override
  public MessageStream.Single<CommandResultMessage> handle(
      CommandMessage message, ProcessingContext context) {
    C command = type.cast(Objects.requireNonNull(message.payload(), "a command has content"));
    UnitOfWorkFactory units = context.component(UnitOfWorkFactory.class);
    return MessageStream.fromFuture(
        decideWithRetries(command, units, 1)
            .thenApply(outcome -> new GenericCommandResultMessage(resultType, outcome)));
  }

  private CompletableFuture<R> decideWithRetries(C command, UnitOfWorkFactory units, int attempt) {
    return decideOnce(command, units)
        .exceptionallyCompose(failure ->
            attempt < ATTEMPTS_MAX && isConflict(failure)
                ? CompletableFuture.supplyAsync(
                        () -> command, delayed(RETRY_PAUSE_MILLIS << attempt))
                    .thenCompose(again -> decideWithRetries(again, units, attempt + 1))
                : CompletableFuture.failedFuture(failure));
  }

  /** In its own unit of work: one whose append was rejected cannot be used again. */
  private CompletableFuture<R> decideOnce(C command, UnitOfWorkFactory units) {
    return CompletableFuture.completedFuture(units.create())
        .thenComposeAsync(
            unit ->
                unit.executeWithResult(
                    it -> source(command, it).thenApply(state -> decide(command, state, it))),
            SOURCING);
  }

  private R decide(C command, CallState state, ProcessingContext unit) {
    Decision<R> decision = decider.apply(command, state);
    EventAppender.forContext(unit).append(decision.events());
    return decision.outcome();
  }

  /** Sourced in the unit, so that its append is rejected when the call has later events. */
  private CompletableFuture<CallState> source(C command, ProcessingContext unit) {
    EventCriteria ofCall =
        EventCriteria.havingTags(new Tag("call", callId.apply(command).toString()));
    return unit.component(EventStore.class)
        .transaction(unit)
        .source(SourcingCondition.conditionFor(ofCall))
        .reduce(CallState.EMPTY, (state, entry) -> evolve(state, entry.message()));
  }

  /** An event that cannot be read fails the command: it might change the decision. */
  private CallState evolve(CallState state, EventMessage message) {
    byte[] json = (byte[]) Objects.requireNonNull(message.payload(), "an event has content");
    return eventVocabulary.read(message.type(), json) instanceof CallEvent event
        ? state.evolve(event)
        : state;
  }

  private static Executor delayed(long millis) {
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }

  private static boolean isConflict(@Nullable Throwable failure) {
    return failure instanceof AppendEventsTransactionRejectedException
        || (failure != null && isConflict(failure.getCause()));
  }
}
