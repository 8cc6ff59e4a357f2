package gatebook.events.journal.axon;

import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.JournalAccess;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.eventsourcing.eventstore.AppendCondition;
import org.axonframework.eventsourcing.eventstore.AppendEventsTransactionRejectedException;
import org.axonframework.eventsourcing.eventstore.ConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.eventsourcing.eventstore.GlobalIndexConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.GlobalIndexPosition;
import org.axonframework.eventsourcing.eventstore.SourcingCondition;
import org.axonframework.eventsourcing.eventstore.TaggedEventMessage;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.jspecify.annotations.Nullable;

/**
 * The journal as Axon's event storage engine, to source from and to append to, in this process or
 * in another.
 *
 * <p>A token and a consistency marker are both the position of the last event that was seen. Use it
 * through {@link JournalEventStore}.
 */
public sealed class JournalStorageEngine implements EventStorageEngine
    permits FollowableStorageEngine {
  private final JournalAccess journalAccess;
  private final EventMessages eventMessages;

  public JournalStorageEngine(JournalAccess journalAccess, EventMessages eventMessages) {
    this.journalAccess = journalAccess;
    this.eventMessages = eventMessages;
  }

  @Override
  public CompletableFuture<AppendTransaction<?>> appendEvents(
      AppendCondition condition,
      @Nullable ProcessingContext context,
      List<TaggedEventMessage<?>> events) {
    return CompletableFuture.completedFuture(new Transaction(condition, events));
  }

  /** Appends the events, all or none; completed when they are durable. */
  CompletableFuture<ConsistencyMarker> append(
      AppendCondition condition, List<TaggedEventMessage<?>> events) {
    if (events.isEmpty()) {
      return CompletableFuture.completedFuture(ConsistencyMarker.ORIGIN);
    }
    List<DraftEvent> drafts = new ArrayList<>(events.size());
    try {
      events.forEach(event -> drafts.add(eventMessages.draft(event)));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return journalAccess
        .append(journalCondition(condition), drafts)
        .thenCompose(append -> result(append, condition));
  }

  /** Events that are appended when the transaction is committed. */
  private final class Transaction implements AppendTransaction<ConsistencyMarker> {
    private final AppendCondition condition;
    private final List<TaggedEventMessage<?>> events;
    private boolean finished;

    Transaction(AppendCondition condition, List<TaggedEventMessage<?>> events) {
      this.condition = condition;
      this.events = events;
    }

    @Override
    public CompletableFuture<ConsistencyMarker> commit(@Nullable ProcessingContext context) {
      if (finished) {
        return CompletableFuture.failedFuture(
            new IllegalStateException("this transaction was committed or rolled back before"));
      }
      finished = true;
      return append(condition, events);
    }

    @Override
    public void rollback(@Nullable ProcessingContext context) {
      finished = true;
    }

    @Override
    public CompletableFuture<ConsistencyMarker> afterCommit(
        ConsistencyMarker marker, @Nullable ProcessingContext context) {
      return CompletableFuture.completedFuture(marker);
    }
  }

  private static CompletableFuture<ConsistencyMarker> result(
      Append append, AppendCondition condition) {
    return switch (append) {
      case Append.Stored stored ->
          CompletableFuture.completedFuture(new GlobalIndexConsistencyMarker(stored.last()));
      case Append.Conflict _ ->
          CompletableFuture.failedFuture(
              AppendEventsTransactionRejectedException.conflictingEventsDetected(
                  condition.consistencyMarker()));
      case Append.Refused refused -> CompletableFuture.failedFuture(new AppendRefused(refused));
    };
  }

  private static ConflictCondition journalCondition(AppendCondition condition) {
    return condition.consistencyMarker().equals(ConsistencyMarker.INFINITY)
        ? ConflictCondition.none()
        : ConflictCondition.nothingAfter(
            Math.max(0, GlobalIndexConsistencyMarker.position(condition.consistencyMarker())),
            condition.criteria());
  }

  @Override
  public MessageStream<EventMessage> source(
      SourcingCondition condition, @Nullable ProcessingContext context) {
    long after = Math.max(0, GlobalIndexPosition.toIndex(condition.start()));
    return SourcedEvents.of(journalAccess, eventMessages, condition.criteria(), after);
  }

  /** Fails: only the process that has the journal open can follow it. */
  @Override
  public MessageStream<EventMessage> stream(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    return MessageStream.failed(notFollowable());
  }

  @Override
  public CompletableFuture<TrackingToken> firstToken(@Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(new GlobalSequenceTrackingToken(0));
  }

  @Override
  public CompletableFuture<TrackingToken> latestToken(@Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(new GlobalSequenceTrackingToken(journalAccess.head()));
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return CompletableFuture.failedFuture(notFollowable());
  }

  private static UnsupportedOperationException notFollowable() {
    return new UnsupportedOperationException(
        "only the process that has the journal open can follow it");
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("journal", journalAccess.getClass().getSimpleName());
  }
}
