package gatebook.api.node;

import gatebook.api.data.DataDirectory;
import gatebook.api.operator.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.journal.JournalAccess;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;

/**
 * What serving, its probes and its operators need of the journal; its meters are bound as {@code
 * gatebook_*}.
 */
interface NodeJournal extends MeterBinder, AutoCloseable {

  Status status();

  /** How its views are doing. */
  List<ViewStatus> views();

  /** Gives controllers what they ask of the journal and its views. */
  void introduce(ApplicationContext controllers, OperatorServices operatorServices);

  /** The journal as the store of commands' events, with what the configuration has for it. */
  EventStore eventStore(Configuration axon);

  /** The journal itself, for deciding alone. */
  JournalAccess book();

  /**
   * Lets other processes of the data directory record here, and closes what they leave open, until
   * this is closed.
   *
   * @param limits for operators who ask by it
   */
  void share(
      DataDirectory directory,
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits);

  /** What the operators' desk says to a message of whoever shows a token. May block. */
  Optional<byte[]> answer(OperatorServices operatorServices, String token, byte[] message);

  /** Closes, sooner or later, the calls that processes left open which are no more. */
  void closeWhatWasLeft(OrphanHandler orphanHandler);

  /** Ends appending, and returns once everything acknowledged is on disk. */
  @Override
  void close();

  /**
   * How the journal is doing.
   *
   * @param word the journal's state in one word, {@code appending} when all is well
   * @param problem what keeps it from appending; empty when nothing does
   * @param durability what an acknowledged append survives: {@code power} or {@code process}
   */
  record Status(String word, Optional<String> problem, String durability) {}

  /** What opening the journal ends in. */
  sealed interface Opening {
    record Opened(NodeJournal journal) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }
}
