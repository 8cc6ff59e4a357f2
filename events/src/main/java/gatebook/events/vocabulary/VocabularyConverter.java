package gatebook.events.vocabulary;

import gatebook.events.Event;
import gatebook.events.journal.DraftEvent;
import java.lang.reflect.Type;
import java.util.Set;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.conversion.ConversionException;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * Converts between events of the vocabulary and their stored JSON, for Axon's handlers and for the
 * journal.
 *
 * <p>Axon's handlers pass bytes without name and version, so bytes alone are taken for the present
 * version: a reader of stored messages must pass each through {@link #present} first.
 */
public final class VocabularyConverter implements EventConverter {
  private final EventVocabulary eventVocabulary;

  public VocabularyConverter(EventVocabulary eventVocabulary) {
    this.eventVocabulary = eventVocabulary;
  }

  /**
   * A stored message in the present version of its event, with its content as far as that can be
   * read; the same object when it already is that.
   *
   * @throws UnreadableEvent when its name or version is not known
   */
  @SuppressWarnings("ReferenceEquality") // the same array means that nothing was opened or upgraded
  public EventMessage present(EventMessage stored) {
    if (!(stored.payload() instanceof byte[] payload)) {
      return stored;
    }
    var type = eventVocabulary.present(stored.type());
    byte[] json = eventVocabulary.present(stored.identifier(), stored.type(), payload);
    if (type.equals(stored.type()) && json == payload) {
      return stored;
    }
    return new GenericEventMessage(
        stored.identifier(), type, json, stored.metadata(), stored.timestamp());
  }

  /** The event of a message as a draft for the journal, with the message's id and time. */
  public DraftEvent draft(EventMessage message, Event event, Set<Tag> tags, byte[] metadata) {
    return eventVocabulary.draft(
        message.identifier(),
        event,
        message.timestamp(),
        tags,
        message instanceof ContentMessage content ? content.principal() : null,
        metadata);
  }

  @Override
  public boolean canConvert(Type source, Type target) {
    return source.equals(target)
        || (source == byte[].class && eventClass(target) != null)
        || (eventClass(source) != null && target == byte[].class);
  }

  @Override
  // Axon's signature; the caller's target names T
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T> @Nullable T convert(@Nullable Object input, Type target) {
    if (input == null || (target instanceof Class<?> type && type.isInstance(input))) {
      return (T) input;
    }
    if (input instanceof Event event && target == byte[].class) {
      return (T) eventVocabulary.write(event);
    }
    var type = eventClass(target);
    if (input instanceof byte[] json && type != null) {
      return (T) eventVocabulary.read(type, json);
    }
    throw new ConversionException(
        "cannot convert %s to %s: an event is a record of the vocabulary or its JSON in bytes"
            .formatted(input.getClass().getTypeName(), target.getTypeName()));
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // Axon's signature
  public <E extends EventMessage, T> @Nullable T convertPayload(E event, Type target) {
    return present(event).payloadAs(target, this);
  }

  @Override
  @SuppressWarnings("unchecked") // Axon's own messages return their own type
  public <E extends EventMessage> E convertEvent(E event, Type target) {
    return (E) present(event).withConvertedPayload(target, this);
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("vocabulary", eventVocabulary);
  }

  private @Nullable Class<? extends Event> eventClass(Type type) {
    return type instanceof Class<?> candidate && eventVocabulary.typeOf(candidate).isPresent()
        ? candidate.asSubclass(Event.class)
        : null;
  }
}
