package gatebook.api.node;

import gatebook.api.data.DataDirectory;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.quota.DailyBudgets;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.fault.Fault;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.query.ViewQueries;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micronaut.context.ApplicationContext;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;

/**
 * The journal and its views as a node, its probes and its operators use them; binds the meters
 * {@code gatebook_journal_*} and {@code gatebook_view_*}.
 */
interface NodeJournal extends MeterBinder, AutoCloseable {

  Status status();

  /** The position and state of each view. */
  List<ViewStatus> views();

  /** Registers the beans with which controllers read the journal and its views. */
  void registerBeans(ApplicationContext controllers, OperatorServices operatorServices);

  /** The journal as Axon's event store, built from the components of this configuration. */
  EventStore eventStore(Configuration axon);

  /** Sends queries to the views. */
  ViewQueries queries();

  /** The changes of tasks, from every node that records in this journal. */
  RecordedTaskChanges recordedTaskChanges();

  /** Daily budgets of calls, which all nodes that record in this journal share. */
  DailyBudgets budgets();

  /** Reads and appends events, without the views. */
  JournalAccess access();

  /** The keys that seal content. */
  ContentKeys contentKeys();

  /** The keys that this node had before content keys. */
  OldKeys oldKeys();

  /** The keys of the newest events that are missing, and were not erased. */
  List<String> missingKeys();

  /**
   * Lets other processes of the data directory record here, and closes the calls they leave open,
   * until this journal is closed.
   *
   * @param limits the limits for operators who ask through those processes
   */
  void share(
      DataDirectory directory,
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits);

  /** Answers a JSON-RPC message of an operator with this token. May block. */
  Optional<byte[]> answerOperator(OperatorServices operatorServices, String token, byte[] message);

  /** The clock of the node. */
  default Clock clock() {
    return Clock.systemUTC();
  }

  /** Why nothing is forwarded at this moment, although it could be recorded. */
  default Supplier<Optional<Fault>> forwardingObstacle() {
    return Optional::empty;
  }

  /**
   * Starts to finish erasures of content that began, to erase content and to drop events that are
   * older than they are kept, to make the keys of the next day, to send checkpoints to anchors, and
   * to ask witnesses.
   */
  void startMaintenance(OperatorServices operatorServices, AnchorRecords anchorRecords);

  /** Starts to close the calls that dead processes left open. */
  void closeOrphans(OrphanHandler orphanHandler);

  /** Stops appending; returns when every acknowledged append is on disk. */
  @Override
  void close();

  /**
   * The state of the journal.
   *
   * @param word the state in one word, {@code appending} when there is no problem
   * @param problem why it cannot append; empty when it can
   * @param warnings what does not keep it from recording, by the name under which probes show it
   * @param durability what an acknowledged append survives: {@code power} or {@code process}
   */
  record Status(
      String word, Optional<String> problem, Map<String, String> warnings, String durability) {}

  /** The result of opening a journal. */
  sealed interface Opening {
    record Opened(NodeJournal journal) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }
}
