package gatebook.events.journal.axon;

import gatebook.events.journal.storage.Entry;
import java.util.List;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;

/** Makes the messages of a page: those that a follower receives for these events; perhaps none. */
interface PageMessages {
  List<MessageStream.Entry<EventMessage>> of(List<Entry> events);
}
