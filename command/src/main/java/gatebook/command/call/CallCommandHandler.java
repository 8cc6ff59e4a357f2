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
 * Decides on what has happened to one call so far. When something happened to it meanwhile, nothing
 * is stored and the decision is taken again, so that each decision stands on all that went before
 * it. No thread that serves callers waits.
 */
final class CallCommandHandler<C, R> implements CommandHandler {

  /** A call has few events, so that few can come in between. */
  static final int TRIES_MAX = 8;

  /** Doubled for each further try: on a shared database, what came in between may be seen late. */
  private static final long PAUSE_MILLIS = 2;

  private static final ThreadFactory READERS = Thread.ofVirtual().name("reading").factory();

  /** Reading waits for the disk, which threads that serve callers must not. */
  private static final Executor READING = task -> READERS.newThread(task).start();

  private final Class<C> type;
  private final Function<C, UUID> callId;
  private final BiFunction<C, CallState, Decision<R>> decisions;
  private final MessageType outcome;
  private final EventVocabulary eventVocabulary = new EventVocabulary();

  CallCommandHandler(
      Class<C> type,
      Function<C, UUID> callId,
      BiFunction<C, CallState, Decision<R>> decisions,
      MessageType outcome) {
    this.type = type;
    this.callId = callId;
    this.decisions = decisions;
    this.outcome = outcome;
  }

  @Override
  public MessageStream.Single<CommandResultMessage> handle(
      CommandMessage message, ProcessingContext context) {
    C command = type.cast(Objects.requireNonNull(message.payload(), "a command has content"));
    UnitOfWorkFactory units = context.component(UnitOfWorkFactory.class);
    return MessageStream.fromFuture(
        decided(command, units, 1)
            .thenApply(decided -> new GenericCommandResultMessage(outcome, decided)));
  }

  private CompletableFuture<R> decided(C command, UnitOfWorkFactory units, int tries) {
    return once(command, units)
        .exceptionallyCompose(failure ->
            tries < TRIES_MAX && isConflict(failure)
                ? CompletableFuture.supplyAsync(() -> command, after(PAUSE_MILLIS << tries))
                    .thenCompose(again -> decided(again, units, tries + 1))
                : CompletableFuture.failedFuture(failure));
  }

  /** In a unit of work of its own: one whose append was refused is of no further use. */
  private CompletableFuture<R> once(C command, UnitOfWorkFactory units) {
    return CompletableFuture.completedFuture(units.create())
        .thenComposeAsync(
            unit ->
                unit.executeWithResult(
                    it -> soFar(command, it).thenApply(soFar -> decide(command, soFar, it))),
            READING);
  }

  private R decide(C command, CallState soFar, ProcessingContext unit) {
    Decision<R> decision = decisions.apply(command, soFar);
    EventAppender.forContext(unit).append(decision.events());
    return decision.outcome();
  }

  /** Reading so makes the unit's append depend on nothing having come after. */
  private CompletableFuture<CallState> soFar(C command, ProcessingContext unit) {
    EventCriteria ofCall =
        EventCriteria.havingTags(new Tag("call", callId.apply(command).toString()));
    return unit.component(EventStore.class)
        .transaction(unit)
        .source(SourcingCondition.conditionFor(ofCall))
        .reduce(CallState.NOTHING, (soFar, entry) -> and(soFar, entry.message()));
  }

  /** What cannot be read fails the command: it might have been what decides. */
  private CallState and(CallState soFar, EventMessage message) {
    byte[] json = (byte[]) Objects.requireNonNull(message.payload(), "an event has content");
    return eventVocabulary.read(message.type(), json) instanceof CallEvent event
        ? soFar.and(event)
        : soFar;
  }

  private static Executor after(long millis) {
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
  }

  private static boolean isConflict(@Nullable Throwable failure) {
    return failure instanceof AppendEventsTransactionRejectedException
        || (failure != null && isConflict(failure.getCause()));
  }
}
