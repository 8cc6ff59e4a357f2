package gatebook.events.journal.axon;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.axonframework.common.Registration;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.eventsourcing.eventstore.AppendCondition;
import org.axonframework.eventsourcing.eventstore.ConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.EventStoreTransaction;
import org.axonframework.eventsourcing.eventstore.GenericTaggedEventMessage;
import org.axonframework.eventsourcing.eventstore.SourcingCondition;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.eventsourcing.eventstore.TaggedEventMessage;
import org.axonframework.messaging.core.Context.ResourceKey;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.jspecify.annotations.Nullable;

/**
 * The journal as Axon's event store. The events of a unit of work are one append, in its commit
 * phase, and the unit ends when they are durable or fails when they are not. So does publishing
 * outside a unit of work, which completes early in Axon 5.0.1's own store and ignores the failure.
 *
 * <p>It has no subscribers: who wants its events follows the journal.
 */
public final class JournalEventStore implements EventStore {
  private final JournalStorageEngine engine;
  private final TagResolver tagResolver;
  private final ResourceKey<Transaction> transactionKey = ResourceKey.withLabel("journal");

  public JournalEventStore(JournalStorageEngine engine, TagResolver tagResolver) {
    this.engine = engine;
    this.tagResolver = tagResolver;
  }

  @Override
  public EventStoreTransaction transaction(ProcessingContext context) {
    return context.computeResourceIfAbsent(transactionKey, () -> new Transaction(context));
  }

  @Override
  public CompletableFuture<Void> publish(
      @Nullable ProcessingContext context, List<EventMessage> events) {
    if (context == null) {
      return engine
          .append(AppendCondition.none(), events.stream().map(this::tagged).toList())
          .thenAccept(_ -> {});
    }
    events.forEach(transaction(context)::appendEvent);
    return CompletableFuture.completedFuture(null);
  }

  private TaggedEventMessage<?> tagged(EventMessage event) {
    return new GenericTaggedEventMessage<>(event, tagResolver.resolve(event));
  }

  /** What one unit of work has sourced, and the events that it appends. */
  private final class Transaction implements EventStoreTransaction {
    private final ProcessingContext context;
    private final List<Consumer<EventMessage>> callbacks = new ArrayList<>();
    private List<TaggedEventMessage<?>> events = new ArrayList<>();
    private @Nullable EventCriteria criteria;
    private ConsistencyMarker position = ConsistencyMarker.ORIGIN;

    Transaction(ProcessingContext context) {
      this.context = context;
    }

    @Override
    public MessageStream<? extends EventMessage> source(SourcingCondition condition) {
      criteria = criteria == null ? condition.criteria() : criteria.or(condition.criteria());
      return engine.source(condition, context).filter(this::isEvent);
    }

    /** The last entry of a source is no event: it marks up to where the journal was read. */
    private boolean isEvent(MessageStream.Entry<EventMessage> entry) {
      ConsistencyMarker marker = entry.getResource(ConsistencyMarker.RESOURCE_KEY);
      if (marker != null) {
        position = position.equals(ConsistencyMarker.ORIGIN) ? marker : position.lowerBound(marker);
      }
      return marker == null;
    }

    @Override
    public void appendEvent(EventMessage event) {
      if (events.isEmpty()) {
        context.onCommit(_ -> commit()); // fails when the unit of work commits already
      }
      events.add(tagged(event));
      callbacks.forEach(callback -> callback.accept(event));
    }

    private CompletableFuture<Void> commit() {
      List<TaggedEventMessage<?>> appended = events;
      events = List.of();
      return engine.append(condition(), appended).thenAccept(marker -> position = marker);
    }

    /** No event was stored meanwhile that would have been sourced. */
    private AppendCondition condition() {
      return criteria == null
          ? AppendCondition.none()
          : AppendCondition.withCriteria(criteria).withMarker(position);
    }

    @Override
    public void onAppend(Consumer<EventMessage> callback) {
      callbacks.add(callback);
    }

    @Override
    public ConsistencyMarker appendPosition() {
      return position;
    }
  }

  @Override
  public MessageStream<EventMessage> open(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    return engine.stream(condition, context);
  }

  @Override
  public CompletableFuture<TrackingToken> firstToken(@Nullable ProcessingContext context) {
    return engine.firstToken(context);
  }

  @Override
  public CompletableFuture<TrackingToken> latestToken(@Nullable ProcessingContext context) {
    return engine.latestToken(context);
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return engine.tokenAt(at, context);
  }

  /** Fails, because a subscriber would get no events. */
  @Override
  public Registration subscribe(
      BiFunction<List<? extends EventMessage>, ProcessingContext, CompletableFuture<?>> consumer) {
    throw new UnsupportedOperationException(
        "the journal has no subscribers: use a streaming event processor");
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("engine", engine);
    descriptor.describeProperty("tagResolver", tagResolver);
  }
}
