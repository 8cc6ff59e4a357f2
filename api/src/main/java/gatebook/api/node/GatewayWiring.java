package gatebook.api.node;

import gatebook.api.a2a.A2aMethods;
import gatebook.api.a2a.card.AgentCards;
import gatebook.api.a2a.upstream.AgentSkills;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.flow.FlowMethods;
import gatebook.api.flow.TaskRunMethods;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.GatewayCore;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.ViewReader;
import gatebook.api.gateway.message.DialectHandler;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.gateway.quota.NodeQuotas;
import gatebook.api.gateway.report.ErrorReporter;
import gatebook.api.gateway.report.ObservedReporter;
import gatebook.api.mcp.McpMethods;
import gatebook.api.mcp.ToolSchemaWarnings;
import gatebook.api.operator.methods.OperatorServices;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.operator.rpc.RulesInForce;
import gatebook.api.rules.ActiveRules;
import gatebook.api.upstream.UpstreamErrors;
import gatebook.api.upstream.source.AttemptFigures;
import gatebook.api.upstream.source.DemoUpstream;
import gatebook.api.upstream.source.Upstreams;
import gatebook.command.axon.CommandConfiguration;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.ReceiveCall;
import gatebook.command.call.approval.DecideApproval;
import gatebook.command.call.handler.CallCommandHandlers;
import gatebook.command.call.handler.CallQueryHandlers;
import gatebook.command.gate.GateChain;
import gatebook.command.gateway.GatewayCommandHandlers;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.LegalHold;
import gatebook.command.rules.Rules;
import gatebook.command.rules.RulesByHash;
import gatebook.command.rules.file.RulesFile;
import gatebook.command.tree.handler.TreeCommandHandlers;
import gatebook.command.tree.handler.TreeQueryHandlers;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;
import org.jspecify.annotations.Nullable;

/**
 * Wires the gateway: dialects, rules, upstreams, command handlers and the event store. No other
 * class puts them together.
 */
final class GatewayWiring implements AutoCloseable {

  /** One thread is enough for upstream responses; callers are served on other threads. */
  private static final int UPSTREAM_THREADS = 1;

  private static final long STOP_SECONDS_MAX = 2;

  private final AxonConfiguration axon;
  private final Gateway gateway;
  private final FlowMethods flow;
  private final AgentCards agentCards;
  private final Supplier<RoutingSnapshot> snapshots;
  private final Optional<RulesInForce> rules;
  private final Supplier<Map<String, AttemptFigures>> attempts;
  private final RedecideContext redecideContext;
  private final NodeQuotas quotas;
  private final InstantSource clock;
  private final CloseAction closeAction;

  /** Closes, in order, what was opened for the gateway. */
  @FunctionalInterface
  private interface CloseAction {
    void close();
  }

  /** Called when rules come into force. */
  @FunctionalInterface
  private interface ActivationListener {
    void onActivation(Rules active, RoutingSnapshots routingSnapshots, ActiveRules rules);
  }

  private GatewayWiring(
      AxonConfiguration axon,
      Gateway gateway,
      FlowMethods flow,
      AgentCards agentCards,
      Supplier<RoutingSnapshot> snapshots,
      Optional<RulesInForce> rules,
      Supplier<Map<String, AttemptFigures>> attempts,
      RedecideContext redecideContext,
      NodeQuotas quotas,
      InstantSource clock,
      CloseAction closeAction) {
    this.axon = axon;
    this.gateway = gateway;
    this.flow = flow;
    this.agentCards = agentCards;
    this.snapshots = snapshots;
    this.rules = rules;
    this.attempts = attempts;
    this.redecideContext = redecideContext;
    this.quotas = quotas;
    this.clock = clock;
    this.closeAction = closeAction;
  }

  /**
   * Opens a gateway that decides by the rules of a file.
   *
   * @param daemon the methods of the daemon dialect
   */
  static GatewayWiring open(GatewayBase base, DaemonMethods daemon, RulesFile file) {
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(UPSTREAM_THREADS, NioIoHandler.newFactory());
    Upstreams upstreams =
        new Upstreams(
            loops,
            Upstreams.clientTls(),
            base.meters(),
            new DemoUpstream(base.clock()),
            base.clock(),
            Version.text());
    return openWithRules(
        base,
        McpMethods.ofSources(Version.text()),
        daemon,
        file,
        new RoutingSnapshots(rules -> RoutingSnapshots.of(rules, upstreams)),
        upstreams::attempts,
        GatewayWiring::warnAboutTools,
        () -> {
          upstreams.close();
          var _ = loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
        });
  }

  /** Opens a gateway to one wrapped server, with the routing to it under these rules. */
  static GatewayWiring openWrapped(
      GatewayBase base, Function<Rules, RoutingSnapshot> server, RulesFile file) {
    return openWithRules(
        base,
        McpMethods.ofWrappedServer(),
        new DaemonMethods(),
        file,
        new RoutingSnapshots(server),
        Map::of,
        // the client has to initialize the server before its tools can be listed
        (_, _, _) -> {},
        () -> {});
  }

  private static GatewayWiring openWithRules(
      GatewayBase base,
      McpMethods mcp,
      DaemonMethods daemon,
      RulesFile file,
      RoutingSnapshots routingSnapshots,
      Supplier<Map<String, AttemptFigures>> attempts,
      ActivationListener activationListener,
      CloseAction sources) {
    GatewayWiring withoutRules = open(base, mcp, daemon, routingSnapshots);
    ActiveRules rules =
        ActiveRules.start(
            file,
            command -> withoutRules.commands().send(command, Instant.class),
            CedarPolicies.ENGINE,
            ActiveRules.POLL_INTERVAL);
    routingSnapshots.useRules(rules);
    rules.addListener(_ -> withoutRules.gateway.heldCalls().resumeAll());
    rules.addListener(active -> activationListener.onActivation(active, routingSnapshots, rules));
    rules.addListener(withoutRules.quotas::prepare);
    return new GatewayWiring(
        withoutRules.axon,
        withoutRules.gateway,
        withoutRules.flow,
        withoutRules.agentCards,
        routingSnapshots,
        Optional.of(new OperatorRulesView(rules)),
        attempts,
        withoutRules.redecideContext,
        withoutRules.quotas,
        withoutRules.clock,
        () -> {
          rules.close();
          sources.close();
          withoutRules.closeAction.close();
        });
  }

  private static Scrubber scrubber(Rules rules) {
    return new Scrubber(rules.redaction(), rules.configuredSecrets(), System.getenv());
  }

  /** The translation of faults under rules that need not be in force. */
  private static FaultTranslator translator(Rules rules) {
    Scrubber scrubber = scrubber(rules);
    Scrubber names = scrubber.keepingPaths();
    return new ErrorTranslation(scrubber::scrub, () -> names);
  }

  /** Checks the rules against the tools that sources offer; calls do not wait for this. */
  private static void warnAboutTools(
      Rules active, RoutingSnapshots routingSnapshots, ActiveRules rules) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    if (PerRulesValue.isSame(routingSnapshot.rules(), active)) {
      var _ =
          ToolSchemaWarnings.of(active, routingSnapshot::upstream)
              .thenAccept(warnings -> rules.addWarnings(active, warnings));
    }
  }

  /** Opens a gateway on these snapshots. */
  static GatewayWiring open(GatewayBase base, Supplier<RoutingSnapshot> snapshots) {
    return open(base, McpMethods.ofSources(Version.text()), new DaemonMethods(), snapshots);
  }

  private static GatewayWiring open(
      GatewayBase base, McpMethods mcp, DaemonMethods daemon, Supplier<RoutingSnapshot> supplier) {
    RulesByHash rulesByHash = new RulesByHash();
    Supplier<RoutingSnapshot> snapshots =
        () -> {
          RoutingSnapshot routingSnapshot = supplier.get();
          rulesByHash.add(routingSnapshot.rules());
          return routingSnapshot;
        };
    InstantSource clock = base.clock();
    PerRulesValue<Scrubber> scrubbers = new PerRulesValue<>(GatewayWiring::scrubber);
    ContentDigests contentDigests = base.contentDigests();
    PayloadRecorders payloadRecorders =
        (rules, owner) ->
            new PayloadRecorder(contentDigests, owner, scrubbers.get(rules), rules.recording());
    UnaryOperator<String> scrub = text -> scrubbers.get(snapshots.get().rules()).scrub(text);
    PerRulesValue<Scrubber> names =
        new PerRulesValue<>(rules -> scrubbers.get(rules).keepingPaths());
    FaultTranslator faultTranslator =
        new ErrorTranslation(scrub, () -> names.get(snapshots.get().rules()));
    NodeQuotas quotas = new NodeQuotas(base.budgets(), System::nanoTime);
    AxonConfiguration axon =
        AxonWiring.configuration(
            base.store(),
            executors(base, quotas, rulesByHash),
            List.of(
                new CallQueryHandlers(rulesByHash, contentDigests, faultTranslator),
                new TreeQueryHandlers()),
            new CallCommandHandlers(
                rulesByHash,
                new GateChain(System::nanoTime),
                new InspectorChain(scrubbers::get, base.forwardingObstacle()),
                new InspectorChain(scrubbers::get),
                new ObservedReporter(base.meters()),
                quotas,
                payloadRecorders,
                contentDigests,
                faultTranslator,
                clock),
            new GatewayCommandHandlers(clock),
            new TreeCommandHandlers(
                rulesByHash, payloadRecorders, faultTranslator::nameScrubber, scrub));
    axon.start();
    ViewReader viewReader = new ViewReader(base.viewQueries());
    CommandSender commandSender = new CommandSender(axon.getComponent(CommandGateway.class));
    QuerySender querySender = QuerySender.of(axon, base.mayBlock());
    AgentSkills agentSkills = new AgentSkills(snapshots, clock);
    A2aMethods a2a =
        new A2aMethods(agentSkills, commandSender, querySender, viewReader, base.meters(), clock);
    TaskRunMethods taskRuns = new TaskRunMethods();
    GatewayCore core =
        new GatewayCore(
            axon.getComponent(CommandGateway.class),
            querySender,
            List.of(mcp, daemon, taskRuns, a2a),
            snapshots,
            quotas,
            new UpstreamErrors(
                    scrub, jsonValue -> scrubbers.get(snapshots.get().rules()).scrub(jsonValue))
                ::fault,
            faultTranslator,
            new ErrorReporter(base.meters()),
            base.recordedTaskChanges(),
            clock);
    FlowMethods flow =
        FlowMethods.of(
            commandSender,
            querySender,
            viewReader,
            snapshots,
            core.ownCalls(taskRuns),
            base.recordedTaskChanges(),
            base.meters(),
            clock,
            Version.text());
    List<DialectHandler> methods = List.of(mcp, daemon, flow, a2a);
    Gateway gateway = new Gateway(core, methods);
    return new GatewayWiring(
        axon,
        gateway,
        flow,
        new AgentCards(agentSkills, snapshots, Version.text()),
        snapshots,
        Optional.empty(),
        Map::of,
        RedecideContext.of(
            methods,
            snapshots,
            base.contentDigests(),
            CallRedecision.of(new PerRulesValue<>(GatewayWiring::scrubber)::get),
            new PerRulesValue<>(GatewayWiring::translator)::get),
        quotas,
        clock,
        quotas::close);
  }

  /** A call that may wait for a daily budget is handled on another thread than its sender's. */
  private static Function<@Nullable Object, Executor> executors(
      GatewayBase base, NodeQuotas quotas, RulesByHash rulesByHash) {
    return command ->
        command instanceof ReceiveCall call && quotas.mayWait(rulesByHash.get(call.rulesHash()))
            ? CommandConfiguration.OFF_THE_SENDERS_THREAD
            : base.commandExecutors().apply(command);
  }

  Gateway gateway() {
    return gateway;
  }

  /** The cards of the agents here. */
  AgentCards agentCards() {
    return agentCards;
  }

  /** The rules and upstreams for calls that arrive now. */
  RoutingSnapshot snapshot() {
    return snapshots.get();
  }

  CommandGateway commands() {
    return axon.getComponent(CommandGateway.class);
  }

  /** Closes or resumes calls that dead processes left open. */
  OrphanHandler orphanHandler() {
    return new GatewayOrphans(commands(), gateway, flow);
  }

  OperatorServices operatorServices() {
    return new OperatorServices(
        this::decide,
        () -> snapshot().rules().operators(),
        () -> snapshot().rules().limits(),
        rules,
        () -> SourceStatuses.of(snapshot().rules().sources(), attempts.get()),
        () -> QuotaStatuses.of(snapshot().rules(), quotas, clock.instant()),
        this::legalHolds,
        () -> snapshot().rules().checkpoints(),
        () -> snapshot().rules().witnesses(),
        () -> snapshot().rules().witness(),
        redecideContext);
  }

  /** Without rules in force nobody knows what the file forbids to erase. */
  private Optional<List<LegalHold>> legalHolds() {
    RoutingSnapshot snapshot = snapshot();
    return snapshot.obstacle() == null
        ? Optional.of(snapshot.rules().legalHolds())
        : Optional.empty();
  }

  /** Notifies the held call at once. */
  private CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command) {
    return commands()
        .send(command, DecideApproval.Outcome.class)
        .whenComplete((_, _) -> gateway.heldCalls().onDecision(command.callId()));
  }

  @Override
  public void close() {
    flow.close();
    gateway.close();
    closeAction.close();
    axon.shutdown();
  }
}
