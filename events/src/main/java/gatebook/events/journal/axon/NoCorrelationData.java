package gatebook.events.journal.axon;

import org.axonframework.common.configuration.ComponentRegistry;
import org.axonframework.common.configuration.ConfigurationEnhancer;
import org.axonframework.messaging.core.correlation.CorrelationDataProviderRegistry;
import org.axonframework.messaging.core.correlation.DefaultCorrelationDataProviderRegistry;

/**
 * Keeps correlation data out of the metadata of events. Axon would write the names of commands
 * there; but events name their call, and a command's random name is used nowhere.
 */
public final class NoCorrelationData implements ConfigurationEnhancer {
  @Override
  public void enhance(ComponentRegistry registry) {
    registry.registerComponent(
        CorrelationDataProviderRegistry.class, _ -> new DefaultCorrelationDataProviderRegistry());
  }
}
