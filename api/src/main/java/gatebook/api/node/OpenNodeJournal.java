package gatebook.api.node;

import gatebook.api.backup.NodeBackups;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.DiskLimits;
import gatebook.api.data.OperatorToken;
import gatebook.api.data.RetentionSection;
import gatebook.api.erasure.ContentErasure;
import gatebook.api.erasure.ContentSearch;
import gatebook.api.erasure.ErasureEstimate;
import gatebook.api.erasure.ErasureFigures;
import gatebook.api.erasure.ErasureFollower;
import gatebook.api.erasure.ErasureSweep;
import gatebook.api.erasure.EventRetention;
import gatebook.api.gateway.RecordedTaskChanges;
import gatebook.api.node.NodeLiveness.OrphanCheck;
import gatebook.api.node.disk.DiskReserve;
import gatebook.api.node.disk.DiskSpace;
import gatebook.api.node.disk.DiskWatch;
import gatebook.api.node.sharing.OwnerServer;
import gatebook.api.operator.OperatorRpc;
import gatebook.api.operator.methods.ContentMethods;
import gatebook.api.operator.methods.JournalGrowth;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.command.rules.GatewayLimits;
import gatebook.events.DiskLevelChanged;
import gatebook.events.DiskLevelChanged.Disk;
import gatebook.events.call.ErasureCause;
import gatebook.events.fault.Fault;
import gatebook.events.journal.Append;
import gatebook.events.journal.ConflictCondition;
import gatebook.events.journal.Journal;
import gatebook.events.journal.JournalAccess;
import gatebook.events.journal.JournalFigures;
import gatebook.events.journal.JournalState;
import gatebook.events.journal.axon.EventMessages;
import gatebook.events.journal.axon.FollowableStorageEngine;
import gatebook.events.journal.axon.JournalEventStore;
import gatebook.events.journal.axon.JournalStorageEngine;
import gatebook.events.journal.drop.KeptStatements;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.OldKeys;
import gatebook.events.keys.store.ContentKeyStore;
import gatebook.events.vocabulary.EventVocabulary;
import gatebook.events.vocabulary.VocabularyConverter;
import gatebook.query.ViewQueries;
import gatebook.query.Views;
import gatebook.query.projection.View;
import gatebook.query.projection.ViewFile;
import gatebook.query.projection.ViewStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.SimpleEventBus;
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
  private final RetentionSection retention;
  private final ErasureFigures erasureFigures = new ErasureFigures();
  private final NodeBackups nodeBackups;
  private @Nullable ContentErasure contentErasure;
  private final Optional<ErasureFollower> erasureFollower;
  private @Nullable ErasureSweep erasureSweep;
  private @Nullable EventRetention eventRetention;
  private @Nullable NextDayKeys nextDayKeys;
  private final DiskReserve diskReserve;
  private final DiskWatch diskWatch;
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
      RetentionSection retention) {
    this.journal = journal;
    this.keys = keys;
    this.eventVocabulary = eventVocabulary;
    this.file = file;
    this.views = views;
    this.token = token;
    this.orphanCheck = orphanCheck;
    this.retention = retention;
    this.nodeBackups = NodeBackups.of(directory, journal, keys.contentKeys(), Clock.systemUTC());
    this.taskChangeFollower = new TaskChangeFollower(journal);
    this.erasureFollower =
        journal.isShared() ? Optional.of(new ErasureFollower(journal)) : Optional.empty();
    this.diskReserve =
        new DiskReserve(diskSpace, journal.isShared() ? 0 : diskLimits.reserveBytes());
    this.diskWatch =
        new DiskWatch(
                journal.isShared() ? Disk.VIEWS : Disk.JOURNAL,
                diskSpace,
                journal.isShared() ? diskLimits.withoutReserve() : diskLimits,
                () -> JournalGrowth.bytesPerDay(journal, Clock.systemUTC()),
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
      RetentionSection retention) {
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
        retention);
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
              Version.text(),
              Clock.systemUTC());
      operatorRpc = rpc;
    }
    return rpc;
  }

  private ContentMethods contentMethods(OperatorServices operatorServices) {
    ContentErasure erasure = contentErasure(operatorServices);
    return new ContentMethods(
        erasure,
        new ErasureEstimate(erasure, journal, eventVocabulary, views),
        new ContentSearch(journal, eventVocabulary),
        () ->
            NodeKeys.mayStillHold(
                nodeBackups.recordedBackups(), journal.isShared(), System.getenv()));
  }

  private synchronized ContentErasure contentErasure(OperatorServices operatorServices) {
    ContentErasure erasure = contentErasure;
    if (erasure == null) {
      erasure =
          new ContentErasure(
              journal,
              keys.contentKeys(),
              eventVocabulary,
              views,
              operatorServices.approvalSender()::decide,
              operatorServices.legalHolds(),
              erasureFigures,
              Clock.systemUTC());
      contentErasure = erasure;
    }
    return erasure;
  }

  @Override
  public synchronized void startKeyMaintenance(OperatorServices operatorServices) {
    ErasureSweep sweep =
        new ErasureSweep(contentErasure(operatorServices), retention.contentDays());
    erasureSweep = sweep;
    sweep.start();
    NextDayKeys keysAhead =
        new NextDayKeys(keys.contentKeys(), operatorServices.limits(), Clock.systemUTC());
    nextDayKeys = keysAhead;
    keysAhead.start();
    EventRetention started =
        new EventRetention(
            journal,
            eventVocabulary,
            retention.drop(),
            new KeptStatements(),
            operatorServices.legalHolds(),
            erasureFigures,
            Clock.systemUTC());
    eventRetention = started;
    started.start();
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
  public Supplier<Optional<Fault>> forwardingObstacle() {
    return diskReserve;
  }

  /** Waits until it is durable; false when it cannot be recorded now. */
  private boolean recorded(DiskLevelChanged changed) {
    Append append =
        journal
            .append(
                ConflictCondition.none(), List.of(eventVocabulary.draft(changed, Instant.now())))
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
    new OrphanCleanup(views.queries(), orphanHandler, Clock.systemUTC(), orphanCheck, ORPHAN_PAUSE)
        .start(journal.head());
  }

  @Override
  public Status status() {
    return switch (journal.state()) {
      case JournalState.Writable() -> status("appending", Optional.empty());
      case JournalState.Unavailable(var reason) -> status("unavailable", Optional.of(reason));
      case JournalState.Distrusted(var reason) -> status("distrusted", Optional.of(reason));
      case JournalState.ReadOnly(var reason) -> status("read-only", Optional.of(reason));
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
        new SimpleEventBus(), // subscribers to events follow the journal instead
        axon.getComponent(TagResolver.class));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, "events.stored", "events stored", JournalFigures::eventsStored);
    count(registry, "bytes.stored", "bytes of stored events", JournalFigures::bytesStored);
    count(registry, "checkpoints", "checkpoints signed", JournalFigures::checkpoints);
    count(registry, "conflicts", "appends whose condition failed", JournalFigures::conflicts);
    count(registry, "overloaded", "appends refused by a full queue", JournalFigures::overloaded);
    count(registry, "unavailable", "appends that failed", JournalFigures::unavailable);
    count(registry, "unstorable", "appends of flawed events", JournalFigures::unstorable);
    count(
        registry,
        "recoveries",
        "times the journal wrote again after a failure",
        JournalFigures::recoveries);
    count(
        registry,
        "checkpoint.file.failures",
        "checkpoints that did not reach their file",
        JournalFigures::checkpointFileFailures);
    commits(registry);
    gauge(registry, "head", "position of the newest event", Journal::head);
    gauge(
        registry,
        "damaged.files",
        "files of the journal that were removed or changed while they are open",
        it -> it.damagedFiles().size());
    gauge(registry, "queue.events", "events waiting to be written", Journal::queuedEvents);
    Views.NAMES.forEach(name -> view(registry, name, views.named(name)));
    gauge(registry, "queue.bytes", "bytes waiting to be written", Journal::queuedBytes);
    Gauge.builder("gatebook.content.keys", keys.contentKeys(), ContentKeyStore::count)
        .description("keys of content that is not erased")
        .register(registry);
    nodeBackups.bindTo(registry);
    FunctionCounter.builder("gatebook.archive.failures", journal, Journal::archiveFailures)
        .description("attempts to move segments to the archive that failed")
        .register(registry);
    for (ErasureCause cause : ErasureCause.values()) {
      erasures(registry, cause, "completed", it -> it.countCompleted(cause));
      erasures(registry, cause, "refused", it -> it.countRefused(cause));
    }
    Gauge.builder("gatebook.disk.used.ratio", diskWatch, DiskWatch::usedRatio)
        .description(
            "used part of the disk that has the journal, or only the views of a shared one")
        .register(registry);
    Gauge.builder("gatebook.disk.left.seconds", diskWatch, DiskWatch::secondsLeft)
        .description("seconds until that disk is full at today's growth; NaN while it is unknown")
        .register(registry);
  }

  @Override
  public void close() {
    try {
      closeKeyMaintenance();
      erasureFollower.ifPresent(ErasureFollower::close);
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

  private synchronized void closeKeyMaintenance() {
    if (erasureSweep != null) {
      erasureSweep.close();
    }
    if (eventRetention != null) {
      eventRetention.close();
    }
    if (nextDayKeys != null) {
      nextDayKeys.close();
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

  private void count(
      MeterRegistry registry, String name, String what, ToDoubleFunction<JournalFigures> figure) {
    FunctionCounter.builder("gatebook.journal." + name, journal.figures(), figure)
        .description(what)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, String name, String what, ToDoubleFunction<Journal> figure) {
    Gauge.builder("gatebook.journal." + name, journal, figure).description(what).register(registry);
  }

  private void erasures(
      MeterRegistry registry,
      ErasureCause cause,
      String outcome,
      ToDoubleFunction<ErasureFigures> figure) {
    FunctionCounter.builder("gatebook.erasures", erasureFigures, figure)
        .tag("cause", cause.word())
        .tag("outcome", outcome)
        .description("erasures of content")
        .register(registry);
  }

  private static void view(MeterRegistry registry, String name, View view) {
    view(
        registry,
        name,
        view,
        "position",
        "everything up to this position is in the view",
        ViewStatus::position);
    view(registry, name, view, "lag", "events the view is behind the journal", ViewStatus::lag);
    view(registry, name, view, "parked", "events the view could not take in", ViewStatus::parked);
  }

  private static void view(
      MeterRegistry registry,
      String view,
      View measured,
      String name,
      String what,
      ToDoubleFunction<ViewStatus> figure) {
    Gauge.builder("gatebook.view." + name, measured, it -> figure.applyAsDouble(it.status()))
        .tag("view", view)
        .description(what)
        .register(registry);
  }

  private void commits(MeterRegistry registry) {
    FunctionTimer.builder(
            "gatebook.journal.commits",
            journal.figures(),
            JournalFigures::batches,
            JournalFigures::commitNanos,
            TimeUnit.NANOSECONDS)
        .description("batches committed and forced")
        .register(registry);
  }
}
