package gatebook.api.node;

import gatebook.command.call.CommandConfiguration;
import gatebook.events.journal.axon.NoCorrelationData;
import gatebook.events.vocabulary.VocabularyConfiguration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.commandhandling.CommandBus;

/** Wires Axon: the event store, the command handlers and the converter. */
final class AxonWiring {

  private AxonWiring() {}

  /**
   * A configuration that is not started yet.
   *
   * @param mayBlock handles commands, when reading the store may wait for another process
   */
  static AxonConfiguration configuration(
      Function<Configuration, EventStore> store,
      CommandConfiguration commands,
      Optional<Executor> mayBlock) {
    return EventSourcingConfigurer.create()
        .componentRegistry(registry -> {
          mayBlock.ifPresent(executor ->
              registry.registerDecorator(
                  CommandBus.class, 0, (_, _, bus) -> new ExecutorCommandBus(bus, executor)));
          registry
              .registerEnhancer(new VocabularyConfiguration())
              .registerEnhancer(new NoCorrelationData())
              // commands and outcomes stay objects; Axon would use the events' converter
              .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE);
        })
        .registerEventStore(store::apply)
        .registerCommandHandlingModule(commands.handlers())
        .build();
  }
}
