package gatebook.api.serve;

import gatebook.api.a2a.A2aMethods;
import gatebook.api.again.Means;
import gatebook.api.border.Border;
import gatebook.api.border.ErrorBook;
import gatebook.api.border.Ground;
import gatebook.api.border.HeldSeats;
import gatebook.api.border.Methods;
import gatebook.api.daemon.DaemonMethods;
import gatebook.api.dialect.Translation;
import gatebook.api.flow.FlowMethods;
import gatebook.api.mcp.McpMethods;
import gatebook.api.mcp.ToolWarnings;
import gatebook.api.operator.Ports;
import gatebook.api.operator.RulesInForce;
import gatebook.api.rules.ActiveRules;
import gatebook.api.upstream.DemoSource;
import gatebook.api.upstream.ForeignErrors;
import gatebook.api.upstream.Upstreams;
import gatebook.command.CommandConfiguration;
import gatebook.command.Telling;
import gatebook.command.abandon.OrphanCall;
import gatebook.command.again.DecideAgain;
import gatebook.command.approve.DecideApproval;
import gatebook.command.gate.Gates;
import gatebook.command.inspect.Inspections;
import gatebook.command.keep.Keeper;
import gatebook.command.policy.Policies;
import gatebook.command.receive.Judging;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Program;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.file.RulesFile;
import gatebook.events.journal.axon.NoOrigins;
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
final class BorderWiring implements AutoCloseable {

  /** Sources answer seldom enough for one thread, beside those that serve callers. */
  private static final int SOURCE_THREADS = 1;

  private static final long STOP_SECONDS_MAX = 2;

  private final AxonConfiguration axon;
  private final Border border;
  private final Supplier<Ground> ground;
  private final Optional<RulesInForce> rules;
  private final Means again;
  private final Closing closing;

  /** What is closed with the border, in this order. */
  @FunctionalInterface
  private interface Closing {
    void close();
  }

  /** What is looked at when rules come into force. */
  @FunctionalInterface
  private interface Look {
    void at(Rules active, Grounds grounds, ActiveRules rules);
  }

  private BorderWiring(
      AxonConfiguration axon,
      Border border,
      Supplier<Ground> ground,
      Optional<RulesInForce> rules,
      Means again,
      Closing closing) {
    this.axon = axon;
    this.border = border;
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
      Keeper keeper,
      MeterRegistry meters) {

    static Base of(JournalDoor journal, Keeper keeper, MeterRegistry meters) {
      return new Base(journal::eventStore, Optional.empty(), keeper, meters);
    }
  }

  /** What the methods are of those dialects that are not spoken alike everywhere. */
  private record Spoken(Methods mcp, DaemonMethods daemon) {
    static Spoken usual() {
      return new Spoken(new McpMethods(Version.text()), new DaemonMethods());
    }
  }

  /**
   * Decides by the rules of a file.
   *
   * @param keeper has the keys of this node
   * @param lookEvery how often the file is looked at
   */
  static BorderWiring open(
      JournalDoor journal,
      Keeper keeper,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery) {
    return open(Base.of(journal, keeper, meters), Spoken.usual(), file, lookEvery);
  }

  /**
   * Decides by the rules of a file, on what is stored there.
   *
   * @param daemon what the daemon's dialect asks for
   * @param mayBlock where it is decided, since reading the store may wait for another process
   */
  static BorderWiring open(
      Function<Configuration, EventStore> store,
      DaemonMethods daemon,
      Keeper keeper,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery,
      Executor mayBlock) {
    return open(
        new Base(store, Optional.of(mayBlock), keeper, meters),
        new Spoken(new McpMethods(Version.text()), daemon),
        file,
        lookEvery);
  }

  private static BorderWiring open(Base base, Spoken spoken, RulesFile file, Duration lookEvery) {
    EventLoopGroup loops =
        new MultiThreadIoEventLoopGroup(SOURCE_THREADS, NioIoHandler.newFactory());
    Upstreams upstreams =
        new Upstreams(
            loops,
            tls(),
            base.meters,
            new DemoSource(Clock.systemUTC()),
            Clock.systemUTC(),
            Version.text());
    return ruled(
        base,
        spoken,
        file,
        lookEvery,
        new Grounds(rules -> Grounds.on(rules, upstreams)),
        BorderWiring::compareWithTools,
        () -> {
          upstreams.close();
          var _ = loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
        });
  }

  /** The same about one server, whoever that is. */
  static BorderWiring open(
      Function<Configuration, EventStore> store,
      Behind behind,
      Keeper keeper,
      MeterRegistry meters,
      RulesFile file,
      Duration lookEvery,
      Executor mayBlock) {
    return ruled(
        new Base(store, Optional.of(mayBlock), keeper, meters),
        new Spoken(behind.methods(), new DaemonMethods()),
        file,
        lookEvery,
        new Grounds(behind::ground),
        (_, _, _) -> {}, // it is its client who introduces himself first
        () -> {});
  }

  private static BorderWiring ruled(
      Base base,
      Spoken spoken,
      RulesFile file,
      Duration lookEvery,
      Grounds grounds,
      Look look,
      Closing sources) {
    BorderWiring unruled = open(base, spoken, grounds);
    ActiveRules rules =
        ActiveRules.start(
            file,
            command -> unruled.commands().send(command, Instant.class),
            Policies.ENGINE,
            lookEvery);
    grounds.standOn(rules);
    rules.onActivation(_ -> unruled.border.holds().tryAll());
    rules.onActivation(active -> look.at(active, grounds, rules));
    return new BorderWiring(
        unruled.axon,
        unruled.border,
        grounds,
        Optional.of(new NodesRules(rules)),
        unruled.again,
        () -> {
          rules.close();
          sources.close();
        });
  }

  /** The sources may take their time, and calls do not wait for it. */
  private static void compareWithTools(Rules active, Grounds grounds, ActiveRules rules) {
    Ground ground = grounds.get();
    if (PerRules.same(ground.rules(), active)) {
      var _ =
          ToolWarnings.of(active, ground::upstream)
              .thenAccept(warnings -> rules.warn(active, warnings));
    }
  }

  /** Decides by what it is given to stand on. */
  static BorderWiring open(
      JournalDoor journal, Keeper keeper, MeterRegistry meters, Supplier<Ground> grounds) {
    return open(Base.of(journal, keeper, meters), Spoken.usual(), grounds);
  }

  private static BorderWiring open(Base base, Spoken spoken, Supplier<Ground> grounds) {
    InstantSource clock = Clock.systemUTC();
    PerRules<Scrubber> scrubbers = new PerRules<>(BorderWiring::scrubber);
    PerRules<Keeper> keepers =
        new PerRules<>(rules -> base.keeper.under(scrubbers.of(rules), rules.keeping()));
    UnaryOperator<String> scrub = text -> scrubbers.of(grounds.get().rules()).scrub(text);
    PerRules<Scrubber> names = new PerRules<>(rules -> scrubbers.of(rules).keepingPaths());
    Telling telling = new Translation(scrub, () -> names.of(grounds.get().rules()));
    HeldSeats seats = new HeldSeats();
    AxonConfiguration axon =
        axon(
            base.store,
            new CommandConfiguration(
                new Inspections(scrubbers::of), seats, keepers::of, telling, clock),
            base.mayBlock);
    axon.start();
    List<Methods> methods = List.of(spoken.mcp, spoken.daemon, new FlowMethods(), new A2aMethods());
    Border border =
        new Border(
            axon.getComponent(CommandGateway.class),
            methods,
            grounds,
            seats,
            new ForeignErrors(scrub, json -> scrubbers.of(grounds.get().rules()).scrub(json))
                ::fault,
            telling,
            new ErrorBook(base.meters),
            clock);
    Means again = Means.of(methods, grounds, base.keeper, decidingAgain());
    return new BorderWiring(axon, border, grounds, Optional.empty(), again, () -> {});
  }

  /** Keeps nothing of the rules: those of then are asked for seldom. */
  private static DecideAgain decidingAgain() {
    return new DecideAgain(
        new Judging(new Gates(System::nanoTime), new Inspections(BorderWiring::scrubber)));
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
    Program program = source.program();
    return program == null ? Map.of() : program.environment();
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
                  CommandBus.class, 0, (_, _, bus) -> new Elsewhere(bus, executor)));
          registry
              .registerEnhancer(new VocabularyConfiguration())
              .registerEnhancer(new NoOrigins())
              // commands and outcomes stay objects; Axon would else take one for the events' own
              .registerComponent(Converter.class, _ -> PassThroughConverter.INSTANCE);
        })
        .registerEventStore(store::apply)
        .registerCommandHandlingModule(commands.handlers())
        .build();
  }

  Border border() {
    return border;
  }

  /** What calls stand on now. */
  Ground ground() {
    return ground.get();
  }

  /** Has commands decided. */
  CommandGateway commands() {
    return axon.getComponent(CommandGateway.class);
  }

  /** Who goes on with what other processes left. */
  Successor successor() {
    return new Successor() {
      @Override
      public CompletableFuture<Boolean> close(OrphanCall call) {
        return commands().send(call, Boolean.class);
      }

      @Override
      public void goOn(UUID callId) {
        border.takeOver(callId);
      }
    };
  }

  /** What operators need of those who decide. */
  Ports ports() {
    return new Ports(this::decide, () -> ground().rules().operators(), rules, again);
  }

  /** Who waits hears of it at once. */
  private CompletableFuture<DecideApproval.Outcome> decide(DecideApproval command) {
    return commands()
        .send(command, DecideApproval.Outcome.class)
        .whenComplete((_, _) -> border.holds().decided(command.callId()));
  }

  @Override
  public void close() {
    border.close();
    closing.close();
    axon.shutdown();
  }
}
