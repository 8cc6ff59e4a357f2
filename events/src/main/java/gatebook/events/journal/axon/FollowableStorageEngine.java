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

/**
 * The journal as Axon's event storage engine, in the process that has it open: it can also be
 * followed.
 */
public final class FollowableStorageEngine extends JournalStorageEngine {
  private final Journal journal;
  private final EventMessages eventMessages;

  public FollowableStorageEngine(Journal journal, EventMessages eventMessages) {
    super(journal, eventMessages);
    this.journal = journal;
    this.eventMessages = eventMessages;
  }

  @Override
  public MessageStream<EventMessage> stream(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    return new JournalMessageStream(
        journal,
        JournalMessageStream.after(condition),
        page -> eventMessages.tracked(page, condition.criteria()));
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return CompletableFuture.supplyAsync(
        () -> new GlobalSequenceTrackingToken(journal.positionBefore(at)), journal.readExecutor());
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("durability", journal.durability());
    descriptor.describeProperty("head", journal.head());
  }
}
