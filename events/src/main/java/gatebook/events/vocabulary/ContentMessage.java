package gatebook.events.vocabulary;

import gatebook.events.Event;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.axonframework.common.IdentifierFactory;
import org.axonframework.conversion.Converter;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.core.Metadata;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.jspecify.annotations.Nullable;

/**
 * The message of an event that tells the journal whose content the event has, which most events of
 * a call do not say. The principal goes with the message up to the journal, and is not stored.
 */
public record ContentMessage(
    String identifier,
    MessageType type,
    Event payload,
    String principal,
    Instant timestamp,
    Metadata metadata)
    implements EventMessage {
  private static final EventVocabulary VOCABULARY = new EventVocabulary();

  /** The messages of events with content of this principal. */
  public static List<EventMessage> of(List<? extends Event> events, String principal) {
    List<EventMessage> messages = new ArrayList<>(events.size());
    for (Event event : events) {
      messages.add(
          new ContentMessage(
              IdentifierFactory.getInstance().generateIdentifier(),
              VOCABULARY.typeOf(event.getClass()).orElseThrow(),
              event,
              principal,
              Instant.now(),
              Metadata.emptyInstance()));
    }
    return messages;
  }

  @Override
  public Class<? extends Event> payloadType() {
    return payload.getClass();
  }

  @Override
  // Axon's signature; the caller's target names T
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T> @Nullable T payloadAs(Type target, @Nullable Converter converter) {
    return target instanceof Class<?> wanted && wanted.isInstance(payload)
        ? (T) payload
        : Objects.requireNonNull(converter, "no converter").convert(payload, target);
  }

  @Override
  public EventMessage withMetadata(Map<String, String> other) {
    return new ContentMessage(
        identifier, type, payload, principal, timestamp, Metadata.from(other));
  }

  @Override
  public EventMessage andMetadata(Map<String, String> more) {
    return withMetadata(metadata.mergedWith(more));
  }

  @Override
  public EventMessage withConvertedPayload(Type target, Converter converter) {
    return new GenericEventMessage(
        identifier, type, payloadAs(target, converter), metadata, timestamp);
  }
}
