package gatebook.api.node;

import gatebook.api.backup.NodeBackups;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.DiskLimits;
import gatebook.api.data.OperatorToken;
import gatebook.api.data.RetentionSection;
import gatebook.api.erasure.ContentErasure;
import gatebook.api.erasure.ContentSearch;
import gatebook.api.erasure.ErasureEstimate;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.gateway.quota.DailyBudgets;
import gatebook.api.gateway.quota.JournalCounts;
import gatebook.api.gateway.quota.LeasedBudgets;
import gatebook.api.gateway.quota.RecordedBudgets;
import gatebook.api.node.NodeLiveness.OrphanCheck;
import gatebook.api.node.disk.DiskReserve;
import gatebook.api.node.disk.DiskSpace;
import gatebook.api.node.disk.DiskWatch;
import gatebook.api.node.sharing.OwnerServer;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.methods.ContentMethods;
import gatebook.api.operator.methods.JournalGrowth;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.api.witness.LogWitnesses;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.DiskLevelChanged;
import gatebook.events.DiskLevelChanged.Disk;
import gatebook.events.fault.Fault;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.axon.EventMessages;
import gatebook.events.journal.axon.FollowableStorageEngine;
import gatebook.events.journal.axon.JournalEventStore;
import gatebook.events.journal.axon.JournalStorageEngine;
import gatebook.events.journal.budget.BudgetTable;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.VocabularyConverter;
import gatebook.query.ViewQueries;
import gatebook.query.Views;
import gatebook.query.projection.ViewFile;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An open journal and its views, for a node, its probes, Prometheus and operators. */
final class OpenNodeJournal implements NodeJournal {

  private static final Logger LOG = LoggerFactory.getLogger(OpenNodeJournal.class);

  private static final Duration ORPHAN_PAUSE = Duration.ofSeconds(5);

  private final Journal journal;
  private final NodeKeys.Store keys;
  private final ViewFile file;
  private final Views views;
  private final OperatorToken token;
  private final OrphanCheck orphanCheck;
  private final TaskChangeFollower taskChangeFollower;
  private final EventVocabulary eventVocabulary;
  private final NodeBackups nodeBackups;
  private final LogWitnesses logWitnesses;
  private final JournalMaintenance maintenance;
  private final DiskReserve diskReserve;
  private final DiskWatch diskWatch;
  private final Clock clock;
  private @Nullable OperatorRpc operatorRpc;
  private volatile @Nullable OwnerServer ownerServer;

  private OpenNodeJournal(
      Journal journal,
      NodeKeys.Store keys,
      EventVocabulary eventVocabulary,
      ViewFile file,
      Views views,
      OperatorToken token,
      OrphanCheck orphanCheck,
      Path directory,
      DiskSpace diskSpace,
      DiskLimits diskLimits,
      RetentionSection retention,
      Clock clock) {
    this.journal = journal;
    this.keys = keys;
    this.eventVocabulary = eventVocabulary;
    this.file = file;
    this.views = views;
    this.token = token;
    this.orphanCheck = orphanCheck;
    this.clock = clock;
    this.nodeBackups = NodeBackups.of(directory, journal, keys.contentKeys(), clock);
    this.taskChangeFollower = new TaskChangeFollower(journal);
    this.logWitnesses = LogWitnesses.of(directory, journal, eventVocabulary, clock);
    this.maintenance =
        new JournalMaintenance(
            journal, keys.contentKeys(), eventVocabulary, views, retention, logWitnesses, clock);
    this.diskReserve =
        new DiskReserve(diskSpace, journal.isShared() ? 0 : diskLimits.reserveBytes());
    this.diskWatch =
        new DiskWatch(
                journal.isShared() ? Disk.VIEWS : Disk.JOURNAL,
                diskSpace,
                journal.isShared() ? diskLimits.withoutReserve() : diskLimits,
                () -> JournalGrowth.bytesPerDay(journal, clock),
                this::recorded)
            .start();
  }

  /**
   * Starts the views, which follow the journal.
   *
   * @param keys closed with the journal
   * @param token the token of the node's own operator
   * @param orphanCheck whether the node that began an open call or execution is dead
   * @param retention how long events and content are kept
   * @param directory the data directory
   * @param diskSpace of the disk that has the journal, or only the views of a shared one
   * @param clock says on which day a call is received
   */
  static OpenNodeJournal of(
      Journal journal,
      NodeKeys.Store keys,
      ViewFile file,
      OperatorToken token,
      OrphanCheck orphanCheck,
      Path directory,
      DiskSpace diskSpace,
      DiskLimits diskLimits,
      RetentionSection retention,
      Clock clock) {
    EventVocabulary eventVocabulary = keys.vocabulary();
    return new OpenNodeJournal(
        journal,
        keys,
        eventVocabulary,
        file,
        Views.follow(file, journal, eventVocabulary),
        token,
        orphanCheck,
        directory,
        diskSpace,
        diskLimits,
        retention,
        clock);
  }

  @Override
  public void registerBeans(ApplicationContext controllers, OperatorServices operatorServices) {
    controllers.registerSingleton(OperatorRpc.class, operatorRpc(operatorServices));
  }

  private synchronized OperatorRpc operatorRpc(OperatorServices operatorServices) {
    OperatorRpc rpc = operatorRpc;
    if (rpc == null) {
      rpc =
          new OperatorRpc(
              journal,
              keys.contentKeys(),
              views,
              eventVocabulary,
              token,
              operatorServices,
              contentMethods(operatorServices),
              nodeBackups,
              maintenance::anchors,
              logWitnesses,
              Version.text(),
              clock);
      operatorRpc = rpc;
    }
    return rpc;
  }

  private ContentMethods contentMethods(OperatorServices operatorServices) {
    ContentErasure erasure = maintenance.contentErasure(operatorServices);
    return new ContentMethods(
        erasure,
        new ErasureEstimate(erasure, journal, eventVocabulary, views),
        new ContentSearch(journal, eventVocabulary),
        () ->
            NodeKeys.mayStillHold(
                nodeBackups.recordedBackups(), journal.isShared(), System.getenv()));
  }

  @Override
  public void startMaintenance(OperatorServices operatorServices, AnchorRecords anchorRecords) {
    maintenance.start(operatorServices, anchorRecords);
  }

  @Override
  public Optional<byte[]> answerOperator(
      OperatorServices operatorServices, String presentedToken, byte[] message) {
    return operatorRpc(operatorServices).answer(message, presentedToken);
  }

  @Override
  public ViewQueries queries() {
    return views.queries();
  }

  @Override
  public RecordedTaskChanges recordedTaskChanges() {
    return taskChangeFollower;
  }

  @Override
  public DailyBudgets budgets() {
    return journal.location() instanceof SharedLocation shared
        ? new LeasedBudgets(new BudgetTable(shared), System::nanoTime)
        : new RecordedBudgets(new JournalCounts(journal), clock);
  }

  @Override
  public JournalAccess access() {
    return journal;
  }

  @Override
  public ContentKeys contentKeys() {
    return keys.contentKeys();
  }

  @Override
  public OldKeys oldKeys() {
    return keys.oldKeys();
  }

  @Override
  public List<String> missingKeys() {
    return keys.missing();
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public Supplier<Optional<Fault>> forwardingObstacle() {
    return diskReserve;
  }

  /** Waits until it is durable; false when it cannot be recorded now. */
  private boolean recorded(DiskLevelChanged changed) {
    Append append =
        journal
            .append(
                ConflictCondition.none(), List.of(eventVocabulary.draft(changed, clock.instant())))
            .join();
    return append instanceof Append.Stored;
  }

  @Override
  public void share(
      DataDirectory directory,
      OperatorServices operatorServices,
      OrphanHandler orphanHandler,
      Supplier<GatewayLimits> limits) {
    try {
      OwnerServer server =
          OwnerServer.open(
              journal,
              keys.contentKeys(),
              new SharedOperatorRpc(() -> operatorRpc(operatorServices), limits),
              () -> closeOrphans(orphanHandler));
      ownerServer = server;
      directory.announce(server.address());
    } catch (IOException e) {
      LOG.atWarn()
          .setCause(e)
          .log("cannot open a loopback port: other processes cannot record through this one");
    }
  }

  @Override
  public void closeOrphans(OrphanHandler orphanHandler) {
    new OrphanCleanup(views.queries(), orphanHandler, clock, orphanCheck, ORPHAN_PAUSE)
        .start(journal.head());
  }

  @Override
  public Status status() {
    return switch (journal.state()) {
      case JournalState.Writable() -> status("appending", Optional.empty());
      case JournalState.Unavailable(var reason) -> status("unavailable", Optional.of(reason));
      case JournalState.Distrusted(var reason) -> status("distrusted", Optional.of(reason));
      case JournalState.ReadOnly(var reason) -> status("read-only", Optional.of(reason));
      case JournalState.RolledBack(var reason) -> status("rolled-back", Optional.of(reason));
      case JournalState.Closed() -> status("closed", Optional.of("the journal is closed"));
    };
  }

  @Override
  public List<ViewStatus> views() {
    return views.statuses();
  }

  @Override
  public EventStore eventStore(Configuration axon) {
    return store(
        eventMessages -> new FollowableStorageEngine(journal, eventMessages),
        eventVocabulary,
        axon);
  }

  /** The event store of command handlers, which converts events by the event vocabulary. */
  static EventStore store(
      Function<EventMessages, JournalStorageEngine> engine,
      EventVocabulary eventVocabulary,
      Configuration axon) {
    return new JournalEventStore(
        engine.apply(new EventMessages(new VocabularyConverter(eventVocabulary))),
        axon.getComponent(TagResolver.class));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    new JournalMeters(journal, views, keys.contentKeys(), maintenance.erasureFigures(), diskWatch)
        .bindTo(registry);
    nodeBackups.bindTo(registry);
    maintenance.bindTo(registry);
    logWitnesses.bindTo(registry);
  }

  @Override
  public void close() {
    try {
      maintenance.close();
      if (ownerServer != null) {
        ownerServer.close();
      }
      diskWatch.close();
      taskChangeFollower.close();
      views.close();
      file.close();
    } finally {
      journal.close();
      keys.contentKeys().close();
    }
  }

  private Map<String, String> warnings() {
    Map<String, String> warnings = new LinkedHashMap<>();
    if (!journal.damagedFiles().isEmpty()) {
      warnings.put("journalFiles", String.join("; ", journal.damagedFiles()));
    }
    diskWatch.warning().ifPresent(sentence -> warnings.put("disk", sentence));
    journal.refusalToSign().ifPresent(why -> warnings.put("journalSigning", why));
    return warnings;
  }

  private Status status(String word, Optional<String> problem) {
    return new Status(
        word, problem, warnings(), journal.durability().name().toLowerCase(Locale.ROOT));
  }
}
