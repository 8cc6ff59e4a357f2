package gatebook.api.serve;

import gatebook.api.border.Border;
import gatebook.api.border.ErrorBook;
import gatebook.api.dialect.Translation;
import gatebook.api.mcp.McpMethods;
import gatebook.api.operator.Ports;
import gatebook.api.upstream.DemoSource;
import gatebook.api.upstream.Upstream;
import gatebook.command.CommandConfiguration;
import gatebook.command.Telling;
import gatebook.command.approve.DecideApproval;
import gatebook.command.gate.Sources;
import gatebook.command.keep.Keeper;
import gatebook.events.vocabulary.VocabularyConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * The one place where calls, decisions, sources and the journal are put together: who speaks, who
 * decides, where it is written.
 */
final class BorderWiring implements AutoCloseable {

  private final AxonConfiguration axon;
  private final Border border;

  private BorderWiring(AxonConfiguration axon, Border border) {
    this.axon = axon;
    this.border = border;
  }

  static BorderWiring open(JournalDoor journal, byte[] digestKey, MeterRegistry meters) {
    return open(journal, digestKey, meters, new DemoSource(Clock.systemUTC()));
  }

  static BorderWiring open(
      JournalDoor journal, byte[] digestKey, MeterRegistry meters, Upstream upstream) {
    InstantSource clock = Clock.systemUTC();
    Sources sources = new Sources(List.of(upstream.source()));
    Telling telling = new Translation();
    AxonConfiguration axon = axon(journal, new CommandConfiguration(() -> sources, telling, clock));
    axon.start();
    Border border =
        new Border(
            axon.getComponent(CommandGateway.class),
            List.of(new McpMethods(upstream, sources, Version.text())),
            upstream,
            new Keeper(digestKey),
            telling,
            new ErrorBook(meters),
            clock);
    return new BorderWiring(axon, border);
  }

  private static AxonConfiguration axon(JournalDoor journal, CommandConfiguration commands) {
    return EventSourcingConfigurer.create()
        .componentRegistry(registry ->
            registry
                .registerEnhancer(new VocabularyConfiguration())
                // commands and outcomes stay objects; Axon would else take one for the events' own
                .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE))
        .registerEventStore(journal::eventStore)
        .registerCommandHandlingModule(commands.handlers())
        .build();
  }

  Border border() {
    return border;
  }

  /** What operators need of those who decide. */
  Ports ports() {
    CommandGateway commands = axon.getComponent(CommandGateway.class);
    return new Ports(
        command -> commands.send(command, DecideApproval.Outcome.class),
        List::of,
        Optional.empty());
  }

  @Override
  public void close() {
    axon.shutdown();
  }
}
