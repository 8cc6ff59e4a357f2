package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.jspecify.annotations.Nullable;

/** The journal as Axon's event storage, where it is kept: it can be followed too. */
public final class JournalEngine extends BookEngine {
  private final Journal journal;
  private final Messages messages;

  public JournalEngine(Journal journal, Messages messages) {
    super(journal, messages);
    this.journal = journal;
    this.messages = messages;
  }

  @Override
  public MessageStream<EventMessage> stream(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    return new Following(
        journal,
        Following.after(condition),
        page -> messages.tracked(page, condition.criteria()),
        Runnable::run,
        Long.MAX_VALUE);
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return CompletableFuture.supplyAsync(
        () -> new GlobalSequenceTrackingToken(journal.positionBefore(at)), journal.finders());
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("durability", journal.durability());
    descriptor.describeProperty("head", journal.head());
  }
}
