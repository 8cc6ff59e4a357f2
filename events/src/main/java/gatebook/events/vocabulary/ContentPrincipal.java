package gatebook.events.vocabulary;

import gatebook.events.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.Metadata;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.jspecify.annotations.Nullable;

/**
 * Tells the journal whose content an event has, which most events of a call do not say. The
 * principal goes with the event's message up to the journal, and is not stored with it.
 */
public final class ContentPrincipal {
  private static final String METADATA = "content-principal";
  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  private ContentPrincipal() {}

  /** The messages of events with content of this principal. */
  public static List<EventMessage> messages(List<? extends Event> events, String principal) {
    Metadata metadata = Metadata.with(METADATA, principal);
    List<EventMessage> messages = new ArrayList<>(events.size());
    for (Event event : events) {
      MessageType type = VOCABULARY.typeOf(event.getClass()).orElseThrow();
      messages.add(new GenericEventMessage(type, event, metadata));
    }
    return messages;
  }

  /** The principal whose content the event of a message has; absent where none was told. */
  static @Nullable String of(EventMessage message) {
    return message.metadata().get(METADATA);
  }

  /** The metadata that is stored with the event of a message. */
  public static Map<String, String> stored(EventMessage message) {
    Metadata metadata = message.metadata();
    if (!metadata.containsKey(METADATA)) {
      return metadata;
    }
    return metadata.size() == 1 ? Map.of() : metadata.withoutKeys(Set.of(METADATA));
  }
}
