package gatebook.query.projection;

import gatebook.events.journal.Entry;
import java.lang.reflect.Type;
import org.axonframework.common.infra.ComponentDescriptor;
import org.axonframework.conversion.ConversionException;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;
import org.jspecify.annotations.Nullable;

/**
 * Converts a journal entry to its event, in the present version, when a handler takes the event.
 */
final class EntryConverter implements EventConverter {
  private final EventReader events;

  EntryConverter(EventReader events) {
    this.events = events;
  }

  @Override
  public boolean canConvert(Type source, Type target) {
    return source == Entry.class;
  }

  @Override
  // Axon's signature; the caller's target names T
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public <T> @Nullable T convert(@Nullable Object input, Type target) {
    if (input instanceof Entry entry && target instanceof Class<?> type) {
      return type.isInstance(entry) ? (T) entry : (T) type.cast(events.read(entry));
    }
    throw new ConversionException(
        "cannot convert %s to %s: the payload of a projection's message is a journal entry"
            .formatted(input, target.getTypeName()));
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // Axon's signature
  public <E extends EventMessage, T> @Nullable T convertPayload(E event, Type target) {
    return event.payloadAs(target, this);
  }

  @Override
  @SuppressWarnings("unchecked") // Axon's own messages return their own type
  public <E extends EventMessage> E convertEvent(E event, Type target) {
    return (E) event.withConvertedPayload(target, this);
  }

  @Override
  public void describeTo(ComponentDescriptor descriptor) {
    descriptor.describeProperty("events", events);
  }
}
