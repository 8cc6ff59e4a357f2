package gatebook.api.serve;

import gatebook.api.border.Border;
import gatebook.api.border.ErrorBook;
import gatebook.api.border.Ground;
import gatebook.api.border.HeldSeats;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.dialect.Translation;
import gatebook.api.mcp.McpMethods;
import gatebook.api.upstream.ForeignErrors;
import gatebook.command.CommandConfiguration;
import gatebook.command.Telling;
import gatebook.command.keep.Keepers;
import gatebook.events.vocabulary.VocabularyConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * The one place where calls, decisions and the journal are put together: who speaks, who decides,
 * where it is written.
 */
final class BorderWiring implements AutoCloseable {

  private final AxonConfiguration axon;
  private final Border border;

  private BorderWiring(AxonConfiguration axon, Border border) {
    this.axon = axon;
    this.border = border;
  }

  static BorderWiring open(
      JournalDoor journal, Keepers keepers, MeterRegistry meters, Supplier<Ground> ground) {
    InstantSource clock = Clock.systemUTC();
    Telling telling = new Translation(UnaryOperator.identity());
    HeldSeats seats = new HeldSeats();
    AxonConfiguration axon =
        axon(journal, new CommandConfiguration(seats, keepers, telling, clock));
    axon.start();
    Border border =
        new Border(
            axon.getComponent(CommandGateway.class),
            List.of(new McpMethods(Version.text()), new DaemonMethods()),
            ground,
            seats,
            new ForeignErrors(UnaryOperator.identity())::fault,
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

  /** Has commands decided. */
  CommandGateway commands() {
    return axon.getComponent(CommandGateway.class);
  }

  @Override
  public void close() {
    border.close();
    axon.shutdown();
  }
}
