package gatebook.api.node;

import gatebook.api.daemon.DaemonMethods;
import gatebook.api.dialect.ErrorTranslation;
import gatebook.api.gateway.A2aMethods;
import gatebook.api.gateway.DialectHandler;
import gatebook.api.gateway.ErrorReporter;
import gatebook.api.gateway.FlowMethods;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.NodeHoldQuota;
import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.mcp.McpMethods;
import gatebook.api.mcp.ToolSchemaWarnings;
import gatebook.api.operator.OperatorServices;
import gatebook.api.operator.RulesInForce;
import gatebook.api.operator.redecide.RedecideContext;
import gatebook.api.rules.ActiveRules;
import gatebook.api.upstream.UpstreamErrors;
import gatebook.api.upstream.source.DemoUpstream;
import gatebook.api.upstream.source.Upstreams;
import gatebook.command.call.CallEvaluation;
import gatebook.command.call.CommandConfiguration;
import gatebook.command.call.DecideApproval;
import gatebook.command.call.FaultTranslator;
import gatebook.command.call.OrphanCall;
import gatebook.command.gate.GateChain;
import gatebook.command.inspect.InspectorChain;
import gatebook.command.keep.PayloadRecorder;
import gatebook.command.policy.CedarPolicies;
import gatebook.command.redact.Scrubber;
import gatebook.command.redecide.CallRedecision;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.journal.axon.NoCorrelationData;
import gatebook.events.vocabulary.VocabularyConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.axonframework.common.configuration.AxonConfiguration;
import org.axonframework.common.configuration.Configuration;
import org.axonframework.conversion.Converter;
import org.axonframework.conversion.PassThroughConverter;
import org.axonframework.eventsourcing.configuration.EventSourcingConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.commandhandling.CommandBus;
import org.axonframework.messaging.commandhandling.gateway.CommandGateway;

/**
 * The one place where calls, rules, sources, decisions and the journal are put together: who
 * speaks, who decides by what, where it is written.
 */
final class GatewayWiring implements AutoCloseable {

  /** Sources answer seldom enough for one thread, beside those that serve callers. */
  private static final int SOURCE_THREADS = 1;

  private static final long STOP_SECONDS_MAX = 2;

  private final AxonConfiguration axon;
  private final Gateway gateway;
  private final Supplier<RoutingSnapshot> ground;
  private final Optional<RulesInForce> rules;
  private final RedecideContext again;
  private final Closing closing;

  /** What is closed with the border, in this order. */
  @FunctionalInterface
  private interface Closing {
    void close();
  }

  /** What is looked at when rules come into force. */
  @FunctionalInterface
  private interface Look {
    void at(Rules active, RoutingSnapshots routingSnapshots, ActiveRules rules);
  }

  private GatewayWiring(
      AxonConfiguration axon,
      Gateway gateway,
      Supplier<RoutingSnapshot> ground,
      Optional<RulesInForce> rules,
      RedecideContext again,
      Closing closing) {
    this.axon = axon;
    this.gateway = gateway;
    this.ground = ground;
    this.rules = rules;
    this.again = again;
    this.closing = closing;
  }

  /**
   * What everything is put upon.
   *
   * @param keeper has the keys of this node
   * @param mayBlock where it is decided, when reading the store may wait for another process
   */
  private record Base(
      Function<Configuration, EventStore> store,
      Optional<Executor> mayBlock,
      PayloadRecorder keeper,
      MeterRegistry meters) {

    static Base of(NodeJournal journal, PayloadRecorder payloadRecorder, MeterRegistry meters) {
      return new Base(journal::eventStore, Optional.empty(), payloadRecorder, meters);
    }
  }

  /** What the methods are of those dialects that are not spoken alike everywhere. */
  private record Spoken(DialectHandler mcp, DaemonMethods daemon) {
    static Spoken usual() {
      return new Spoken(new McpMethods(Version.text()), new DaemonMethods());
    }
  }

  /**
   * Decides by the rules of a file.
   *
   * @param payloadRecorder has the keys of this node
   * @param lookEvery how often the file is looked at
   */
  static GatewayWiring open(
      NodeJournal journal,
      PayloadRecorder payloadRecorder,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery) {
    return open(Base.of(journal, payloadRecorder, meters), Spoken.usual(), file, lookEvery);
  }

  /**
   * Decides by the rules of a file, on what is stored there.
   *
   * @param daemon what the daemon's dialect asks for
   * @param mayBlock where it is decided, since reading the store may wait for another process
   */
  static GatewayWiring open(
      Function<Configuration, EventStore> store,
      DaemonMethods daemon,
      PayloadRecorder payloadRecorder,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery,
      Executor mayBlock) {
    return open(
        new Base(store, Optional.of(mayBlock), payloadRecorder, meters),
        new Spoken(new McpMethods(Version.text()), daemon),
        file,
        lookEvery);
  }

  private static GatewayWiring open(Base base, Spoken spoken, RulesFile file, Duration lookEvery) {
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(SOURCE_THREADS, NioIoHandler.newFactory());
    Upstreams upstreams =
        new Upstreams(
            loops,
            tls(),
            base.meters,
            new DemoUpstream(Clock.systemUTC()),
            Clock.systemUTC(),
            Version.text());
    return ruled(
        base,
        spoken,
        file,
        lookEvery,
        new RoutingSnapshots(rules -> RoutingSnapshots.on(rules, upstreams)),
        GatewayWiring::compareWithTools,
        () -> {
          upstreams.close();
          var _ = loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
        });
  }

  /** The same about one server, whoever that is. */
  static GatewayWiring open(
      Function<Configuration, EventStore> store,
      WrappedUpstream wrappedUpstream,
      PayloadRecorder payloadRecorder,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery,
      Executor mayBlock) {
    return ruled(
        new Base(store, Optional.of(mayBlock), payloadRecorder, meters),
        new Spoken(wrappedUpstream.methods(), new DaemonMethods()),
        file,
        lookEvery,
        new RoutingSnapshots(wrappedUpstream::ground),
        (_, _, _) -> {}, // it is its client who introduces himself first
        () -> {});
  }

  private static GatewayWiring ruled(
      Base base,
      Spoken spoken,
      RulesFile file,
      Duration lookEvery,
      RoutingSnapshots routingSnapshots,
      Look look,
      Closing sources) {
    GatewayWiring unruled = open(base, spoken, routingSnapshots);
    ActiveRules rules =
        ActiveRules.start(
            file,
            command -> unruled.commands().send(command, Instant.class),
            CedarPolicies.ENGINE,
            lookEvery);
    routingSnapshots.standOn(rules);
    rules.onActivation(_ -> unruled.gateway.holds().tryAll());
    rules.onActivation(active -> look.at(active, routingSnapshots, rules));
    return new GatewayWiring(
        unruled.axon,
        unruled.gateway,
        routingSnapshots,
        Optional.of(new NodeRules(rules)),
        unruled.again,
        () -> {
          rules.close();
          sources.close();
        });
  }

  /** The sources may take their time, and calls do not wait for it. */
  private static void compareWithTools(
      Rules active, RoutingSnapshots routingSnapshots, ActiveRules rules) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    if (PerRulesValue.same(routingSnapshot.rules(), active)) {
      var _ =
          ToolSchemaWarnings.of(active, routingSnapshot::upstream)
              .thenAccept(warnings -> rules.warn(active, warnings));
    }
  }

  /** Decides by what it is given to stand on. */
  static GatewayWiring open(
      NodeJournal journal,
      PayloadRecorder payloadRecorder,
      MeterRegistry meters,
      Supplier<RoutingSnapshot> grounds) {
    return open(Base.of(journal, payloadRecorder, meters), Spoken.usual(), grounds);
  }

  private static GatewayWiring open(Base base, Spoken spoken, Supplier<RoutingSnapshot> grounds) {
    InstantSource clock = Clock.systemUTC();
    PerRulesValue<Scrubber> scrubbers = new PerRulesValue<>(GatewayWiring::scrubber);
    PerRulesValue<PayloadRecorder> keepers =
        new PerRulesValue<>(rules -> base.keeper.under(scrubbers.of(rules), rules.keeping()));
    UnaryOperator<String> scrub = text -> scrubbers.of(grounds.get().rules()).scrub(text);
    PerRulesValue<Scrubber> names =
        new PerRulesValue<>(rules -> scrubbers.of(rules).keepingPaths());
    FaultTranslator faultTranslator =
        new ErrorTranslation(scrub, () -> names.of(grounds.get().rules()));
    NodeHoldQuota seats = new NodeHoldQuota();
    AxonConfiguration axon =
        axon(
            base.store,
            new CommandConfiguration(
                new InspectorChain(scrubbers::of), seats, keepers::of, faultTranslator, clock),
            base.mayBlock);
    axon.start();
    List<DialectHandler> methods =
        List.of(spoken.mcp, spoken.daemon, new FlowMethods(), new A2aMethods());
    Gateway gateway =
        new Gateway(
            axon.getComponent(CommandGateway.class),
            methods,
            grounds,
            seats,
            new UpstreamErrors(
                    scrub, jsonValue -> scrubbers.of(grounds.get().rules()).scrub(jsonValue))
                ::fault,
            faultTranslator,
            new ErrorReporter(base.meters),
            clock);
    RedecideContext again = RedecideContext.of(methods, grounds, base.keeper, decidingAgain());
    return new GatewayWiring(axon, gateway, grounds, Optional.empty(), again, () -> {});
  }

  /** Keeps nothing of the rules: those of then are asked for seldom. */
  private static CallRedecision decidingAgain() {
    return new CallRedecision(
        new CallEvaluation(
            new GateChain(System::nanoTime), new InspectorChain(GatewayWiring::scrubber)));
  }

  /** What sources are sent as headers, or programs are started with, is nobody else's. */
  private static Scrubber scrubber(Rules rules) {
    List<String> ours =
        rules.sources().stream()
            .flatMap(source -> Stream.of(source.headers(), environment(source)))
            .flatMap(secrets -> secrets.values().stream())
            .toList();
    return new Scrubber(rules.redaction(), ours, System.getenv());
  }

  private static Map<String, String> environment(Source source) {
    SourceProgram sourceProgram = source.program();
    return sourceProgram == null ? Map.of() : sourceProgram.environment();
  }

  private static SslContext tls() {
    try {
      return SslContextBuilder.forClient().build();
    } catch (SSLException e) {
      throw new IllegalStateException("every Java platform has TLS", e);
    }
  }

  private static AxonConfiguration axon(
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
              // commands and outcomes stay objects; Axon would else take one for the events' own
              .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE);
        })
        .registerEventStore(store::apply)
        .registerCommandHandlingModule(commands.handlers())
        .build();
  }

  Gateway border() {
    return gateway;
  }

  /** What calls stand on now. */
  RoutingSnapshot ground() {
    return ground.get();
  }

  /** Has commands decided. */
  CommandGateway commands() {
    return axon.getComponent(CommandGateway.class);
  }

  /** Who goes on with what other processes left. */
  OrphanHandler successor() {
    return new OrphanHandler() {
      @Override
      public CompletableFuture<Boolean> close(OrphanCall call) {
        return commands().send(call, Boolean.class);
      }

      @Override
      public void goOn(UUID callId) {
        gateway.takeOver(callId);
      }
    };
  }

  /** What operators need of those who decide. */
  OperatorServices ports() {
    return new OperatorServices(this::decide, () -> ground().rules().operators(), rules, again);
  }

  /** Who waits hears of it at once. */
  private CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command) {
    return commands()
        .send(command, DecideApproval.Outcome.class)
        .whenComplete((_, _) -> gateway.holds().decided(command.callId()));
  }

  @Override
  public void close() {
    gateway.close();
    closing.close();
    axon.shutdown();
  }
}
