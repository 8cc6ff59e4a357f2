package gatebook.events.journal.axon;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.axonframework.messaging.core.Context;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.SimpleEntry;
import org.axonframework.messaging.core.unitofwork.ProcessingContext;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.processing.streaming.token.GlobalSequenceTrackingToken;
import org.axonframework.messaging.eventhandling.processing.streaming.token.TrackingToken;
import org.axonframework.messaging.eventstreaming.StreamableEventSource;
import org.axonframework.messaging.eventstreaming.StreamingCondition;
import org.jspecify.annotations.Nullable;

/**
 * The whole journal as those see it who follow it and never append: each message is a {@link
 * EventPage} with the token of its last event.
 *
 * <p>What Axon does for a message costs more than a view's work for an event; it is done once for
 * all that came meanwhile. Criteria are not asked: views are told of every position.
 */
public final class JournalPageSource implements StreamableEventSource {
  private static final MessageType PAGE = new MessageType("gatebook.journal", "Page", "1");

  /** So many events may be on their way: a follower that is far behind must not fill the memory. */
  private static final long UNDER_WAY_MAX = 8_000;

  private final Journal journal;
  private final Executor wakers;
  private volatile @Nullable JournalMessageStream journalMessageStream;

  /**
   * @param wakers where followers are told that there is more; the later it tells them, the fuller
   *     the pages
   */
  public JournalPageSource(Journal journal, Executor wakers) {
    this.journal = journal;
    this.wakers = wakers;
  }

  @Override
  public MessageStream<EventMessage> open(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    JournalMessageStream opened =
        new JournalMessageStream(
            journal,
            JournalMessageStream.after(condition),
            JournalPageSource::message,
            wakers,
            UNDER_WAY_MAX);
    journalMessageStream = opened;
    return opened;
  }

  /** Somebody waits for what is there: the follower is told of it now, however few there are. */
  public void hurry() {
    JournalMessageStream follower = journalMessageStream;
    if (follower != null) {
      follower.hurry();
    }
  }

  /** What was given out up to here has been dealt with: there is room for more. */
  public void handled(long position) {
    JournalMessageStream follower = journalMessageStream;
    if (follower != null) {
      follower.handled(position);
    }
  }

  private static List<MessageStream.Entry<EventMessage>> message(List<Entry> events) {
    Entry last = events.getLast();
    EventMessage message =
        new GenericEventMessage(
            last.id(), PAGE, new EventPage(events), Map.of(), Instant.parse(last.at()));
    TrackingToken token = new GlobalSequenceTrackingToken(last.position());
    return List.of(new SimpleEntry<>(message, TrackingToken.addToContext(Context.empty(), token)));
  }

  @Override
  public CompletableFuture<TrackingToken> firstToken(@Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(new GlobalSequenceTrackingToken(0));
  }

  @Override
  public CompletableFuture<TrackingToken> latestToken(@Nullable ProcessingContext context) {
    return CompletableFuture.completedFuture(new GlobalSequenceTrackingToken(journal.head()));
  }

  @Override
  public CompletableFuture<TrackingToken> tokenAt(Instant at, @Nullable ProcessingContext context) {
    return CompletableFuture.supplyAsync(
        () -> new GlobalSequenceTrackingToken(journal.positionBefore(at)), journal.finders());
  }
}
