package gatebook.events.journal.axon;

import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
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
 * A source of pages of the whole journal, for followers that never append: each message is an
 * {@link EventPage} with the token of its last event.
 *
 * <p>Axon's work for one message costs more than a view's work for one event; here it is done once
 * for all events since the last message. Criteria are ignored: views process every position.
 */
public final class JournalPageSource implements StreamableEventSource {
  private static final MessageType PAGE = new MessageType("gatebook.journal", "Page", "1");

  /**
   * Limits the events delivered and not yet acknowledged: a follower that is far behind must not
   * fill the memory.
   */
  private static final long UNACKNOWLEDGED_MAX = 8_000;

  private final Journal journal;
  private final Executor notifier;
  private final UnaryOperator<Entry> preparation;
  private volatile @Nullable JournalMessageStream stream;

  /**
   * @param notifier notifies followers of new events; the later it does, the fuller the pages
   * @param preparation applied to each entry on the thread that reads, while earlier pages are
   *     processed
   */
  public JournalPageSource(Journal journal, Executor notifier, UnaryOperator<Entry> preparation) {
    this.journal = journal;
    this.notifier = notifier;
    this.preparation = preparation;
  }

  @Override
  public MessageStream<EventMessage> open(
      StreamingCondition condition, @Nullable ProcessingContext context) {
    JournalMessageStream opened =
        new JournalMessageStream(
            journal,
            JournalMessageStream.after(condition),
            this::message,
            notifier,
            UNACKNOWLEDGED_MAX);
    stream = opened;
    return opened;
  }

  /**
   * Notifies the follower now, for a caller that waits for the newest events, however few they are.
   */
  public void notifyNow() {
    JournalMessageStream current = stream;
    if (current != null) {
      current.notifyNow();
    }
  }

  /** Acknowledges the events up to here, so that more can be delivered. */
  public void acknowledge(long position) {
    JournalMessageStream current = stream;
    if (current != null) {
      current.acknowledge(position);
    }
  }

  private List<MessageStream.Entry<EventMessage>> message(List<Entry> events) {
    Entry last = events.getLast();
    EventPage page = new EventPage(events.stream().map(preparation).toList());
    EventMessage message =
        new GenericEventMessage(last.id(), PAGE, page, Map.of(), Instant.parse(last.at()));
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
        () -> new GlobalSequenceTrackingToken(journal.positionBefore(at)), journal.readExecutor());
  }
}
