package gatebook.events.journal.axon;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.axonframework.eventsourcing.eventstore.AppendCondition;
import org.axonframework.eventsourcing.eventstore.ConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine.AppendTransaction;
import org.axonframework.eventsourcing.eventstore.GenericTaggedEventMessage;
import org.axonframework.eventsourcing.eventstore.StorageEngineBackedEventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.eventsourcing.eventstore.TaggedEventMessage;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventBus;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.jspecify.annotations.Nullable;

/**
 * Axon's event store over the journal, with one difference: publishing outside a unit of work
 * completes when the events are durable and fails when they are not. In Axon 5.0.1 such a publish
 * completes early and ignores the failure.
 */
public final class JournalEventStore extends StorageEngineBackedEventStore {
  private final JournalStorageEngine engine;
  private final EventBus eventBus;
  private final TagResolver tagResolver;

  public JournalEventStore(
      JournalStorageEngine engine, EventBus eventBus, TagResolver tagResolver) {
    super(engine, eventBus, tagResolver);
    this.engine = engine;
    this.eventBus = eventBus;
    this.tagResolver = tagResolver;
  }

  @Override
  public CompletableFuture<Void> publish(
      @Nullable ProcessingContext context, List<EventMessage> events) {
    if (context != null) {
      return super.publish(context, events);
    }
    List<TaggedEventMessage<?>> tagged =
        events.stream().<TaggedEventMessage<?>>map(this::tag).toList();
    return engine
        .appendEvents(AppendCondition.none(), null, tagged)
        .thenCompose(transaction -> commit(transaction))
        .thenCompose(_ -> eventBus.publish(null, events));
  }

  private TaggedEventMessage<EventMessage> tag(EventMessage event) {
    return new GenericTaggedEventMessage<>(event, tagResolver.resolve(event));
  }

  private static <R> CompletableFuture<ConsistencyMarker> commit(AppendTransaction<R> transaction) {
    return transaction.commit(null).thenCompose(result -> transaction.afterCommit(result, null));
  }
}
