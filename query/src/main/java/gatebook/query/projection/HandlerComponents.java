package gatebook.query.projection;

import org.axonframework.messaging.core.ApplicationContext;
import org.axonframework.messaging.eventhandling.conversion.EventConverter;
import org.jspecify.annotations.Nullable;

/** The components that Axon's annotated handlers ask their context for: the converter of events. */
final class HandlerComponents implements ApplicationContext {
  private final EventConverter eventConverter;

  HandlerComponents(EventConverter eventConverter) {
    this.eventConverter = eventConverter;
  }

  @Override
  public <C> C component(Class<C> type, @Nullable String name) {
    if (type.isInstance(eventConverter)) {
      return type.cast(eventConverter);
    }
    throw new UnsupportedOperationException("a projection has no " + type.getName());
  }
}
