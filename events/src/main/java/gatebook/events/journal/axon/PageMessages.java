package gatebook.events.journal.axon;

import gatebook.events.journal.Entry;
import java.util.List;
import org.axonframework.messaging.core.MessageStream;
import org.axonframework.messaging.eventhandling.EventMessage;

/** As what a follower is told of the next events; perhaps as nothing. */
interface PageMessages {
  List<MessageStream.Entry<EventMessage>> of(List<Entry> events);
}
