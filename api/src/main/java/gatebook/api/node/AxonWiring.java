package gatebook.api.node;

import gatebook.command.axon.CommandConfiguration;
import gatebook.events.journal.axon.NoCorrelationData;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;

/** Wires Axon: the event store, the command handlers and the converter. */
final class AxonWiring {

  private AxonWiring() {}

  /**
   * A configuration that is not started yet.
   *
   * @param executors the executor that handles a command
   * @param queryHandlers handles queries, on the thread that sends them
   * @param handlers objects with annotated methods that handle commands
   */
  static AxonConfiguration configuration(
      Function<Configuration, EventStore> store,
      Function<@Nullable Object, Executor> executors,
      List<Object> queryHandlers,
      Object... handlers) {
    EventSourcingConfigurer configurer =
        EventSourcingConfigurer.create()
            .componentRegistry(registry ->
                registry
                    .registerEnhancer(new VocabularyConfiguration())
                    .registerEnhancer(new NoCorrelationData())
                    // commands and outcomes stay objects; Axon would use the events' converter
                    .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE))
            .registerEventStore(store::apply);
    CommandConfiguration.configure(configurer, executors, handlers);
    return CommandConfiguration.configureQueries(configurer, queryHandlers.toArray()).build();
  }
}
