package gatebook.events.journal.axon;

import org.axonframework.common.configuration.ComponentRegistry;
import org.axonframework.common.configuration.ConfigurationEnhancer;
import org.axonframework.messaging.core.correlation.CorrelationDataProviderRegistry;
import org.axonframework.messaging.core.correlation.DefaultCorrelationDataProviderRegistry;

/**
 * Keeps Axon from writing the names of commands into the metadata of events: our events name their
 * call, and a command's random name is known to nobody.
 */
public final class NoCorrelationData implements ConfigurationEnhancer {
  @Override
  public void enhance(ComponentRegistry registry) {
    registry.registerComponent(
        CorrelationDataProviderRegistry.class, _ -> new DefaultCorrelationDataProviderRegistry());
  }
}
