package gatebook.api.http;

import gatebook.command.rules.GatewayLimits;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.http.server.netty.NettyEmbeddedServerFactory;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.runtime.ApplicationConfiguration;
import java.net.BindException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The HTTP servers of a node, listening until closed. */
public final class HttpServers implements AutoCloseable {

  private static final int DRAIN_SECONDS_MAX = 5;

  private final ApplicationContext context;
  private final Map<Port, NettyEmbeddedServer> servers = new EnumMap<>(Port.class);
  private final Map<Port, ListenAddress> listening = new EnumMap<>(Port.class);

  /** What opening the doors ends in. */
  public sealed interface Opening {
    record Opened(HttpServers doors) implements Opening {}

    record Refused(String sentence) implements Opening {}
  }

  private HttpServers(ApplicationContext context) {
    this.context = context;
  }

  /**
   * Opens both, or neither.
   *
   * @param controllersNeed registers what controllers of other packages take
   */
  public static Opening open(
      ListenAddress callers,
      ListenAddress admin,
      String version,
      Readiness readiness,
      PrometheusMeterRegistry metrics,
      Consumer<ApplicationContext> controllersNeed) {
    BuildInfo buildInfo = new BuildInfo(version, System.nanoTime());
    HttpServers httpServers =
        new HttpServers(startedContext(buildInfo, readiness, metrics, controllersNeed));
    Optional<String> refusal =
        httpServers.bind(Port.CALLERS, callers).or(() -> httpServers.bind(Port.ADMIN, admin));
    if (refusal.isPresent()) {
      httpServers.close();
      return new Opening.Refused(refusal.get());
    }
    return new Opening.Opened(httpServers);
  }

  /** Where a door listens, with the port that was found when any free one was asked for. */
  public ListenAddress at(Port door) {
    return Objects.requireNonNull(listening.get(door), "a door that was opened");
  }

  /**
   * Ends what lasts, takes no new requests, lets running ones be answered for a few seconds, then
   * hangs up.
   */
  @Override
  public void close() {
    context.getActiveBeanRegistrations(LongLived.class).forEach(it -> it.bean().end());
    CompletableFuture.allOf(
            servers.values().stream()
                .map(server -> server.shutdownGracefully().toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, DRAIN_SECONDS_MAX, TimeUnit.SECONDS)
        .join();
    servers.values().forEach(NettyEmbeddedServer::stop);
    context.close();
  }

  private static ApplicationContext startedContext(
      BuildInfo buildInfo,
      Readiness readiness,
      PrometheusMeterRegistry metrics,
      Consumer<ApplicationContext> controllersNeed) {
    ApplicationContext context =
        ApplicationContext.builder()
            .banner(false)
            // all settings come from the command line and the rules file, none from elsewhere
            .deduceEnvironment(false)
            .environmentPropertySource(false)
            .properties(Map.of("jackson.serialization-inclusion", "ALWAYS"))
            .build();
    context.registerSingleton(BuildInfo.class, buildInfo);
    context.registerSingleton(Readiness.class, readiness);
    context.registerSingleton(PrometheusMeterRegistry.class, metrics);
    controllersNeed.accept(context);
    return context.start();
  }

  /** Empty when the door is open now, else the sentence that says why it is not. */
  private Optional<String> bind(Port door, ListenAddress at) {
    NettyEmbeddedServer server =
        context.getBean(NettyEmbeddedServerFactory.class).build(configuration(at));
    try {
      server.start();
    } catch (ServerStartupException e) {
      return Optional.of(cannotListen(door, at, e));
    }
    ListenAddress found = at.at(server.getPort());
    servers.put(door, server);
    listening.put(door, found);
    context.getBean(OpenPorts.class).opened(door, found);
    return Optional.empty();
  }

  private NettyHttpServerConfiguration configuration(ListenAddress at) {
    NettyHttpServerConfiguration configuration =
        new NettyHttpServerConfiguration(context.getBean(ApplicationConfiguration.class));
    configuration.setHost(at.host());
    configuration.setPort(at.port());
    int headerBytesMax = limits().headerBytesMax();
    configuration.setMaxHeaderSize(headerBytesMax);
    configuration.setMaxInitialLineLength(headerBytesMax);
    configuration.setMaxRequestSize(Long.MAX_VALUE); // who reads a body bounds it, and answers
    return configuration;
  }

  private GatewayLimits limits() {
    return context
        .findBean(CurrentLimits.class)
        .map(CurrentLimits::now)
        .orElse(GatewayLimits.DEFAULT);
  }

  private static String cannotListen(Port door, ListenAddress at, ServerStartupException e) {
    String why =
        String.valueOf(e.getCause() instanceof BindException b ? b.getMessage() : e.getMessage());
    return why.startsWith("Address already in use")
        ? "port %d on %s is in use: stop what listens there, or choose another with %s"
            .formatted(at.port(), at.host(), door.option())
        : "cannot listen on port %d of %s (%s): choose another with %s"
            .formatted(at.port(), at.host(), why.toLowerCase(Locale.ROOT), door.option());
  }
}
