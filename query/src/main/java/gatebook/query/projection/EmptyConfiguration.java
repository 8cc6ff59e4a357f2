package gatebook.query.projection;

import org.axonframework.messaging.core.ApplicationContext;
import org.jspecify.annotations.Nullable;

/**
 * An empty application context: Axon's unit of work requires one, and a projection has no
 * components.
 */
final class EmptyConfiguration implements ApplicationContext {
  @Override
  public <C> C component(Class<C> type, @Nullable String name) {
    throw new UnsupportedOperationException("a projection has no components");
  }
}
