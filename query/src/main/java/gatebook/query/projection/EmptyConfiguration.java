package gatebook.query.projection;

import org.axonframework.messaging.core.ApplicationContext;
import org.jspecify.annotations.Nullable;

/** A projection asks Axon for nothing. */
final class EmptyConfiguration implements ApplicationContext {
  @Override
  public <C> C component(Class<C> type, @Nullable String name) {
    throw new UnsupportedOperationException("a projection has no components");
  }
}
