package gatebook.api.node;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.data.DataDirectory;
import gatebook.api.data.JournalPlace;
import gatebook.api.http.CurrentLimits;
import gatebook.api.http.HttpServers;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.Readiness;
import gatebook.api.rules.RulesFiles;
import gatebook.api.witness.WitnessRole;
import gatebook.command.rules.Limit;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.fault.ServerFault;
import gatebook.events.journal.SlowOperation;
import gatebook.events.journal.anchor.AnchorRecords;
import gatebook.events.journal.anchor.AnchorTable;
import gatebook.events.journal.anchor.OwnAnchorRecords;
import gatebook.events.journal.postgres.SharedLocation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A running node: its data directory, journal, gateway and two HTTP ports, opened in this order and
 * closed in reverse, so that no call is answered that cannot be recorded.
 */
final class Node implements AutoCloseable {

  private final DataDirectory directory;
  private final NodeJournal journal;
  private final ProcessMetrics processMetrics;
  private final GatewayWiring wiring;
  private final WitnessRole witness;
  private final HttpServers httpServers;
  private final AtomicBoolean isStopping;

  /** The result of a start. */
  sealed interface Start {
    record Serving(Node node) implements Start {}

    record Refused(String sentence) implements Start {}
  }

  /** Opens the journal of a node in its data directory. */
  @FunctionalInterface
  interface JournalOpener {
    NodeJournal.Opening open(ServeSettings settings, DataDirectory directory);
  }

  private Node(
      DataDirectory directory,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring wiring,
      WitnessRole witness,
      HttpServers httpServers,
      AtomicBoolean isStopping) {
    this.directory = directory;
    this.journal = journal;
    this.processMetrics = processMetrics;
    this.wiring = wiring;
    this.witness = witness;
    this.httpServers = httpServers;
    this.isStopping = isStopping;
  }

  static Start start(ServeSettings settings, JournalOpener journalOpener) {
    Optional<String> refusal =
        settings.refusal().or(() -> settings.exposure(() -> knowsPrincipals(settings)));
    return refusal.isPresent()
        ? new Start.Refused(refusal.get())
        : openDirectory(settings, journalOpener);
  }

  /** Whether the rules file names principals; a broken file names none. */
  private static boolean knowsPrincipals(ServeSettings settings) {
    return RulesFiles.of(settings.rules(), System.getenv()).read()
            instanceof RulesFile.Reading.Valid valid
        && !valid.rules().principals().isEmpty();
  }

  /** The address on which a port listens. */
  ListenAddress at(Port port) {
    return httpServers.address(port);
  }

  GatewayWiring wiring() {
    return wiring;
  }

  /** The keys of the newest events that are missing, and were not erased. */
  List<String> missingKeys() {
    return journal.missingKeys();
  }

  /**
   * Stops the node as {@link #close()} does, after a while in which it is not ready and still
   * answers callers, so that load balancers find out.
   *
   * @param drains whether there may be load balancers
   * @param hurry completed when nobody wants to wait any longer
   */
  NodeStop.EndedCalls stop(boolean drains, CompletableFuture<Void> hurry) {
    return close(stop -> stop.drainAndEndCalls(drains), hurry);
  }

  /** Ends the calls in flight, within the grace period, and closes everything. */
  @Override
  public void close() {
    int _ = close(NodeStop::endCalls, new CompletableFuture<>());
  }

  private <T> T close(Function<NodeStop, T> ending, CompletableFuture<Void> hurry) {
    isStopping.set(true);
    try {
      return ending.apply(
          new NodeStop(httpServers, wiring.gateway(), wiring.snapshot().rules().limits(), hurry));
    } finally {
      closeParts();
    }
  }

  private void closeParts() {
    try {
      httpServers.close();
    } finally {
      witness.close();
      wiring.close();
      closeAll(processMetrics, journal, directory);
    }
  }

  private static Start openDirectory(ServeSettings settings, JournalOpener journalOpener) {
    return switch (DataDirectory.open(settings.data())) {
      case DataDirectory.Opening.Refused(var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Held(_, _, _, var sentence) -> new Start.Refused(sentence);
      case DataDirectory.Opening.Opened(var directory) ->
          openJournal(settings, directory, journalOpener.open(settings, directory));
    };
  }

  private static Start openJournal(
      ServeSettings settings, DataDirectory directory, NodeJournal.Opening opening) {
    return switch (opening) {
      case NodeJournal.Opening.Refused(var sentence) -> {
        directory.close();
        yield new Start.Refused(sentence);
      }
      case NodeJournal.Opening.Opened(var journal) -> openGateway(settings, directory, journal);
    };
  }

  private static Start openGateway(
      ServeSettings settings, DataDirectory directory, NodeJournal journal) {
    ProcessMetrics processMetrics = new ProcessMetrics(journal);
    return openPorts(
        settings,
        directory,
        journal,
        processMetrics,
        GatewayWiring.open(
            GatewayBase.of(journal, processMetrics.registry()),
            new DaemonMethods(),
            RulesFiles.of(settings.rules(), System.getenv())));
  }

  private static Start openPorts(
      ServeSettings settings,
      DataDirectory directory,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring wiring) {
    AtomicBoolean isStopping = new AtomicBoolean();
    Readiness readiness =
        () ->
            readiness(
                isStopping.get(),
                journal.status(),
                wiring.snapshot().obstacle(),
                ViewsReadiness.of(
                    journal.views(),
                    wiring.snapshot().rules().limits().get(Limit.VIEW_LAG_EVENTS_MAX)));
    processMetrics.registerReadiness(readiness, journal);
    Optional<SharedLocation> shared =
        new JournalPlace(directory.path(), settings.databaseUrl()).sharedLocation(System.getenv());
    WitnessRole witness =
        WitnessRole.of(
            directory.path(), shared, () -> wiring.snapshot().rules().witness(), journal.clock());
    return switch (openServers(settings, journal, processMetrics, wiring, witness, readiness)) {
      case HttpServers.StartResult.Refused(var sentence) -> {
        witness.close();
        wiring.close();
        closeAll(processMetrics, journal, directory);
        yield new Start.Refused(sentence);
      }
      case HttpServers.StartResult.Started(var httpServers) -> {
        processMetrics.registerCertificate(httpServers::certificateExpires);
        ListenAddress admin = httpServers.address(Port.ADMIN);
        if (settings.tls().isEmpty()) { // a command of this machine has no certificates to trust
          directory.announce(admin.port());
        } else {
          directory.announceConsole(admin.namedUrl());
        }
        directory.announceProbes(httpServers.address(Port.ADMIN).localUrl());
        journal.share(
            directory,
            wiring.operatorServices(),
            wiring.orphanHandler(),
            () -> wiring.snapshot().rules().limits());
        journal.closeOrphans(wiring.orphanHandler());
        journal.startMaintenance(
            wiring.operatorServices(),
            shared.<AnchorRecords>map(AnchorTable::new).orElseGet(OwnAnchorRecords::new));
        witness.prepare();
        yield new Start.Serving(
            new Node(directory, journal, processMetrics, wiring, witness, httpServers, isStopping));
      }
    };
  }

  private static HttpServers.StartResult openServers(
      ServeSettings settings,
      NodeJournal journal,
      ProcessMetrics processMetrics,
      GatewayWiring wiring,
      WitnessRole witness,
      Readiness readiness) {
    try (SlowOperation _ =
        SlowOperation.start(() -> "opening the ports for callers and operators")) {
      return HttpServers.open(
          settings.callers(),
          settings.admin(),
          settings.tls(),
          Version.text(),
          readiness,
          processMetrics.registry(),
          context -> {
            journal.registerBeans(context, wiring.operatorServices());
            context.registerSingleton(wiring.gateway());
            context.registerSingleton(wiring.tokenVerifier());
            context.registerSingleton(wiring.agentCards());
            context.registerSingleton(witness);
            context.registerSingleton(settings.proxies());
            context.registerSingleton(
                CurrentLimits.class, () -> wiring.snapshot().rules().limits());
          });
    }
  }

  private static void closeAll(
      ProcessMetrics processMetrics, NodeJournal journal, DataDirectory directory) {
    try {
      processMetrics.close();
      journal.close();
    } finally {
      directory.close();
    }
  }

  /** The journal's problem comes first: without the journal there are no rules either. */
  private static Readiness.Status readiness(
      boolean isStopping,
      NodeJournal.Status journal,
      @Nullable ServerFault obstacle,
      ViewsReadiness views) {
    return new Readiness.Status(
        checks(journal, rules(obstacle), views.word()),
        Optional.of("stopping")
            .filter(_ -> isStopping)
            .or(journal::problem)
            .or(() -> Optional.ofNullable(obstacle).map(Node::problem))
            .or(views::problem)
            .orElse(null),
        journal.durability());
  }

  /** Calls are recorded although a file of older events was removed: that does not end them. */
  private static Map<String, String> checks(
      NodeJournal.Status journal, String rules, String views) {
    Map<String, String> checks = new LinkedHashMap<>();
    checks.put("journal", journal.word());
    checks.putAll(journal.warnings());
    checks.put("rules", rules);
    checks.put("views", views);
    return checks;
  }

  private static String rules(@Nullable ServerFault obstacle) {
    return switch (obstacle) {
      case null -> "in-force";
      case ServerFault.ServiceUnavailable _ -> "not-recorded";
      case ServerFault _ -> "broken";
    };
  }

  private static String problem(ServerFault obstacle) {
    return obstacle instanceof ServerFault.ServiceUnavailable
        ? "the journal has not taken the rules yet"
        : "the rules file has mistakes: see the log, or gatebook rules check FILE";
  }
}
