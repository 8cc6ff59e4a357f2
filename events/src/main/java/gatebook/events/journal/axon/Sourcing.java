package gatebook.events.journal.axon;

import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalUnreadable;
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
 * The events a model is made of, up to the head as of the question, then the marker of that head.
 *
 * <p>They are read by the thread that asks. In Axon 5.0.1 a stream that becomes available later may
 * be taken from by two threads at once when it is reduced, and then lose events.
 */
final class Sourcing {
  private static final int PAGE = 500;

  private final Journal journal;
  private final Messages messages;
  private final EventCriteria criteria;
  private final long head;

  private Sourcing(Journal journal, Messages messages, EventCriteria criteria) {
    this.journal = journal;
    this.messages = messages;
    this.criteria = criteria;
    this.head = journal.head();
  }

  static MessageStream<EventMessage> of(
      Journal journal, Messages messages, EventCriteria criteria, long after) {
    Sourcing sourcing = new Sourcing(journal, messages, criteria);
    try {
      return sourcing.stream(sourcing.page(after));
    } catch (JournalUnreadable e) {
      return MessageStream.failed(e);
    }
  }

  private MessageStream<EventMessage> stream(List<Entry> first) {
    Stream<MessageStream.Entry<EventMessage>> events =
        Stream.iterate(first, page -> !page.isEmpty(), this::following)
            .flatMap(List::stream)
            .filter(entry -> Messages.matches(criteria, entry))
            .map(messages::tracked);
    return MessageStream.fromStream(
        Stream.concat(events, Stream.of(marker())), MessageStream.Entry::message, entry -> entry);
  }

  private List<Entry> following(List<Entry> page) {
    return page.size() < PAGE ? List.of() : page(page.getLast().position());
  }

  private List<Entry> page(long after) {
    return journal.find(criteria, after, head, PAGE);
  }

  private MessageStream.Entry<EventMessage> marker() {
    return new SimpleEntry<>(
        TerminalEventMessage.INSTANCE,
        Context.with(ConsistencyMarker.RESOURCE_KEY, new GlobalIndexConsistencyMarker(head)));
  }
}
