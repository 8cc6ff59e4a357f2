package gatebook.events.journal.axon;

import gatebook.events.journal.Append;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalUnreachable;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalUnreadable;
import java.util.List;
import java.util.stream.Stream;
import org.axonframework.eventsourcing.eventstore.ConsistencyMarker;
import org.axonframework.eventsourcing.eventstore.GlobalIndexConsistencyMarker;
import org.axonframework.messaging.core.Context;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.core.SimpleEntry;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.TerminalEventMessage;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * The events that a model is sourced from, up to the head at the time of the query, then the marker
 * of that head.
 *
 * <p>They are read by the querying thread. In Axon 5.0.1 a stream that becomes available later may
 * be read by two threads at once when it is reduced, and then lose events.
 */
final class SourcedEvents {
  private static final int PAGE = 500;

  private final JournalAccess journalAccess;
  private final EventMessages eventMessages;
  private final EventCriteria criteria;
  private final long head;

  private SourcedEvents(
      JournalAccess journalAccess, EventMessages eventMessages, EventCriteria criteria) {
    this.journalAccess = journalAccess;
    this.eventMessages = eventMessages;
    this.criteria = criteria;
    this.head = journalAccess.head();
  }

  static MessageStream<EventMessage> of(
      JournalAccess journalAccess,
      EventMessages eventMessages,
      EventCriteria criteria,
      long after) {
    try {
      SourcedEvents sourcedEvents = new SourcedEvents(journalAccess, eventMessages, criteria);
      return sourcedEvents.stream(sourcedEvents.page(after));
    } catch (JournalUnreadable e) {
      return MessageStream.failed(e);
    } catch (JournalUnreachable e) {
      return MessageStream.failed(
          new AppendRefused(new Append.Unavailable(String.valueOf(e.getMessage()))));
    }
  }

  private MessageStream<EventMessage> stream(List<Entry> first) {
    Stream<MessageStream.Entry<EventMessage>> events =
        Stream.iterate(first, page -> !page.isEmpty(), this::nextPage)
            .flatMap(List::stream)
            .filter(entry -> EventMessages.matches(criteria, entry))
            .map(eventMessages::tracked);
    return MessageStream.fromStream(
        Stream.concat(events, Stream.of(marker())), MessageStream.Entry::message, entry -> entry);
  }

  private List<Entry> nextPage(List<Entry> page) {
    return page.size() < PAGE ? List.of() : page(page.getLast().position());
  }

  private List<Entry> page(long after) {
    return journalAccess.find(criteria, after, head, PAGE);
  }

  private MessageStream.Entry<EventMessage> marker() {
    return new SimpleEntry<>(
        TerminalEventMessage.INSTANCE,
        Context.with(ConsistencyMarker.RESOURCE_KEY, new GlobalIndexConsistencyMarker(head)));
  }
}
