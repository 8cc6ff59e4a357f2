package gatebook.api.node;

import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.quota.DailyBudgets;
import gatebook.api.gateway.quota.JournalCounts;
import gatebook.api.gateway.quota.RecordedBudgets;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.keep.ContentDigests;
import gatebook.events.fault.Fault;
import gatebook.events.journal.JournalAccess;
import gatebook.query.ViewQueries;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;

/**
 * The base of a gateway: the store, the views, the keys and the meters.
 *
 * @param commandExecutors the executor that handles a command
 * @param mayBlock handles queries, when reading the store may wait for another process
 * @param viewQueries sends queries to the views, in a process that has them
 * @param recordedTaskChanges of tasks that run in this process
 * @param budgets of the calls of a day; closed with the gateway
 * @param contentDigests makes digests with the keys of this node
 * @param forwardingObstacle why nothing is forwarded at this moment
 * @param clock says on which day a call is received
 */
record GatewayBase(
    Function<Configuration, EventStore> store,
    Function<@Nullable Object, Executor> commandExecutors,
    Optional<Executor> mayBlock,
    Supplier<Optional<ViewQueries>> viewQueries,
    RecordedTaskChanges recordedTaskChanges,
    DailyBudgets budgets,
    ContentDigests contentDigests,
    Supplier<Optional<Fault>> forwardingObstacle,
    MeterRegistry meters,
    Clock clock) {

  static GatewayBase of(NodeJournal journal, MeterRegistry meters) {
    return new GatewayBase(
        journal::eventStore,
        CommandConfiguration.executors(journal.contentKeys()),
        Optional.empty(),
        () -> Optional.of(journal.queries()),
        journal.recordedTaskChanges(),
        journal.budgets(),
        new ContentDigests(journal.contentKeys(), journal.oldKeys()),
        journal.forwardingObstacle(),
        meters,
        journal.clock());
  }

  /** The base of a process without ports, which gets no requests about tasks. */
  static GatewayBase withoutPorts(
      Function<Configuration, EventStore> store,
      Executor mayBlock,
      JournalAccess journal,
      ContentDigests contentDigests,
      Supplier<Optional<Fault>> forwardingObstacle,
      MeterRegistry meters) {
    return new GatewayBase(
        store,
        _ -> mayBlock,
        Optional.of(mayBlock),
        Optional::empty,
        RecordedTaskChanges.NONE,
        new RecordedBudgets(new JournalCounts(journal), Clock.systemUTC()),
        contentDigests,
        forwardingObstacle,
        meters,
        Clock.systemUTC());
  }
}
