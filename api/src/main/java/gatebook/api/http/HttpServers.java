package gatebook.api.http;

import gatebook.api.http.tls.CheckedCertificates;
import gatebook.api.http.tls.ClientAuthorities;
import gatebook.api.http.tls.TlsFiles;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import io.micrometer.core.instrument.Counter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.server.exceptions.ServerStartupException;
import io.micronaut.http.server.netty.HttpCompressionStrategy;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.http.server.netty.NettyEmbeddedServerFactory;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration.NettyListenerConfiguration;
import io.micronaut.http.ssl.CertificateProvider;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.runtime.ApplicationConfiguration;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The HTTP servers of a node, addresses until closed. */
public final class HttpServers implements AutoCloseable {

  /** How long closing waits for responses that are being written. */
  private static final int WRITE_SECONDS_MAX = 2;

  private final ApplicationContext context;
  private final Map<Port, NettyEmbeddedServer> servers = new EnumMap<>(Port.class);
  private final Map<Port, GracefulShutdownCapable> shutdowns = new EnumMap<>(Port.class);
  private final Map<Port, ListenAddress> addresses = new EnumMap<>(Port.class);
  private Optional<CheckedCertificates> certificates = Optional.empty();
  private volatile boolean isLeaving;

  /** The result of opening the ports. */
  public sealed interface StartResult {
    record Started(HttpServers servers) implements StartResult {}

    record Refused(String sentence) implements StartResult {}
  }

  private HttpServers(ApplicationContext context) {
    this.context = context;
  }

  /**
   * Opens both ports, or neither.
   *
   * @param tls the files with which both speak TLS; empty when neither does
   * @param registerBeans registers the beans that controllers of other packages need
   */
  public static StartResult open(
      ListenAddress callers,
      ListenAddress admin,
      Optional<TlsFiles> tls,
      String version,
      Readiness readiness,
      PrometheusMeterRegistry metrics,
      Consumer<ApplicationContext> registerBeans) {
    BuildInfo buildInfo = new BuildInfo(version, System.nanoTime());
    HttpServers httpServers =
        new HttpServers(startedContext(buildInfo, tls, readiness, metrics, registerBeans));
    Optional<String> refusal =
        tls.flatMap(httpServers::useCertificates)
            .or(() -> httpServers.bind(Port.CALLERS, callers))
            .or(() -> httpServers.bind(Port.ADMIN, admin));
    if (refusal.isPresent()) {
      httpServers.close();
      return new StartResult.Refused(refusal.get());
    }
    return new StartResult.Started(httpServers);
  }

  /** The address at which a port listens; it has the real number when port 0 was requested. */
  public ListenAddress address(Port port) {
    return Objects.requireNonNull(addresses.get(port), "a port that was opened");
  }

  /** From now on each response to a caller says that its connection is closed after it. */
  public void askCallersToLeave() {
    isLeaving = true;
  }

  /**
   * Ends long-lived streams, accepts no new connections of callers and closes each when its
   * requests are answered; completed when all are closed.
   */
  public CompletableFuture<Void> closeCallers() {
    context.getActiveBeanRegistrations(LongLived.class).forEach(it -> it.bean().endStreams());
    return closeWhenAnswered(Stream.of(Port.CALLERS));
  }

  private CompletableFuture<Void> closeWhenAnswered(Stream<Port> ports) {
    return GracefulShutdownCapable.shutdownAll(
            ports.map(shutdowns::get).filter(Objects::nonNull).map(it -> it))
        .toCompletableFuture()
        .thenAccept(_ -> {});
  }

  /** Closes what is open, after the responses that are being written. */
  @Override
  public void close() {
    CompletableFuture.allOf(closeCallers(), closeWhenAnswered(Stream.of(Port.ADMIN)))
        .completeOnTimeout(null, WRITE_SECONDS_MAX, TimeUnit.SECONDS)
        .join();
    servers.values().forEach(NettyEmbeddedServer::stop);
    context.close();
  }

  private static ApplicationContext startedContext(
      BuildInfo buildInfo,
      Optional<TlsFiles> tls,
      Readiness readiness,
      PrometheusMeterRegistry metrics,
      Consumer<ApplicationContext> registerBeans) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("jackson.serialization-inclusion", "ALWAYS");
    tls.ifPresent(it -> properties.putAll(it.properties()));
    ApplicationContext context =
        ApplicationContext.builder()
            .banner(false)
            // settings come from the command line and the rules file only
            .deduceEnvironment(false)
            .environmentPropertySource(false)
            .properties(properties)
            .build();
    context.registerSingleton(BuildInfo.class, buildInfo);
    context.registerSingleton(Readiness.class, readiness);
    context.registerSingleton(PrometheusMeterRegistry.class, metrics);
    registerBeans.accept(context);
    return context.start();
  }

  /** Empty when TLS can be spoken with the files, else the sentence that says why it cannot. */
  private Optional<String> useCertificates(TlsFiles files) {
    CheckedCertificates server =
        new CheckedCertificates(() -> provider(TlsFiles.SERVER_FILES), files.password());
    certificates = Optional.of(server);
    context.registerSingleton(
        CertificateProvider.class, server, Qualifiers.byName(TlsFiles.SERVER));
    return server
        .firstRefusal()
        .map(why ->
            "cannot speak TLS with %s (%s): check --tls-cert and --tls-key"
                .formatted(files.certificate(), why))
        .or(() -> files.clientAuthorities().flatMap(this::refusalOfAuthorities));
  }

  /** When the certificate of both ports expires; empty without TLS. */
  public Optional<Instant> certificateExpires() {
    return certificates.flatMap(CheckedCertificates::expiresAt);
  }

  private CertificateProvider provider(String name) {
    return context.getBean(CertificateProvider.class, Qualifiers.byName(name));
  }

  private Optional<String> refusalOfAuthorities(Path file) {
    try {
      context.registerSingleton(
          CertificateProvider.class,
          new ClientAuthorities(provider(TlsFiles.CLIENTS_FILES)),
          Qualifiers.byName(TlsFiles.CLIENTS));
      return Optional.empty();
    } catch (RuntimeException e) {
      return Optional.of(
          "cannot check clients with %s (%s): check --tls-client-ca"
              .formatted(file, CheckedCertificates.reason(e)));
    }
  }

  /** Empty when the port is open now, else the sentence that says why it is not. */
  private Optional<String> bind(Port port, ListenAddress address) {
    NettyEmbeddedServer server =
        switch (port) {
          case CALLERS -> callersServer(configuration(address), listener("callers", address));
          case ADMIN -> adminServer(configuration(address), listener("admin", address));
        };
    CurrentLimits limits = limits();
    ConnectionHandlers.addTo(
        server, () -> limits.now().get(Limit.READ_MILLIS_MAX), failedHandshakes(port));
    try {
      server.start();
    } catch (ServerStartupException e) {
      return Optional.of(cannotListen(port, address, e));
    }
    ListenAddress bound = address.withPort(server.getPort());
    servers.put(port, server);
    addresses.put(port, bound);
    context.getBean(OpenPorts.class).register(port, bound);
    return Optional.empty();
  }

  private Counter failedHandshakes(Port port) {
    return Counter.builder("gatebook.tls.handshakes.failed")
        .description("Handshakes of TLS that failed, or did not end in time")
        .tag("door", port.word())
        .register(context.getBean(PrometheusMeterRegistry.class));
  }

  /** The server of the port at which the controllers answer. */
  private NettyEmbeddedServer adminServer(
      NettyHttpServerConfiguration configuration, NettyListenerConfiguration listener) {
    configuration.setListeners(List.of(listener));
    NettyEmbeddedServer server =
        context.getBean(NettyEmbeddedServerFactory.class).build(configuration);
    shutdowns.put(Port.ADMIN, server);
    return server;
  }

  /** The server of the port at which the paths of callers are. */
  private NettyEmbeddedServer callersServer(
      NettyHttpServerConfiguration configuration, NettyListenerConfiguration listener) {
    CallersConnections connections =
        new CallersConnections(
            new CallersRequestHandler(
                context.getBean(RequestRules.class),
                context.getBean(CallersPaths.class),
                context.getBean(HttpErrors.class),
                context.getConversionService(),
                configuration,
                () -> isLeaving),
            context.getBean(HttpCompressionStrategy.class),
            configuration);
    listener.setSupportGracefulShutdown(false); // the connections have request handlers of our own
    configuration.setListeners(List.of(listener));
    NettyEmbeddedServer server =
        context.getBean(NettyEmbeddedServerFactory.class).build(configuration);
    server.register(connections);
    shutdowns.put(Port.CALLERS, connections);
    return server;
  }

  private NettyListenerConfiguration listener(String name, ListenAddress address) {
    NettyListenerConfiguration listener = new NettyListenerConfiguration(name);
    listener.setHost(address.host());
    listener.setPort(address.port());
    if (address.isTls()) {
      listener.setSsl(true);
      listener.setKeyName(TlsFiles.SERVER);
      if (context.containsBean(CertificateProvider.class, Qualifiers.byName(TlsFiles.CLIENTS))) {
        listener.setTrustName(TlsFiles.CLIENTS);
      }
    }
    return listener;
  }

  private NettyHttpServerConfiguration configuration(ListenAddress address) {
    NettyHttpServerConfiguration configuration =
        new NettyHttpServerConfiguration(context.getBean(ApplicationConfiguration.class));
    configuration.setHost(address.host());
    configuration.setPort(address.port());
    int headerBytesMax = limits().now().getInt(Limit.HEADER_BYTES_MAX);
    configuration.setMaxHeaderSize(headerBytesMax);
    configuration.setMaxInitialLineLength(headerBytesMax);
    configuration.setMaxRequestSize(Long.MAX_VALUE); // RequestBody limits it, and reports a fault
    configuration.setRequestDecompressionEnabled(false); // RequestBody decodes, and checks the end
    return configuration;
  }

  private CurrentLimits limits() {
    return context.findBean(CurrentLimits.class).orElse(() -> GatewayLimits.DEFAULT);
  }

  private static String cannotListen(Port port, ListenAddress address, ServerStartupException e) {
    String why =
        String.valueOf(e.getCause() instanceof BindException b ? b.getMessage() : e.getMessage());
    return why.startsWith("Address already in use")
        ? "port %d on %s is in use: stop what listens there, or choose another with %s"
            .formatted(address.port(), address.host(), port.option())
        : "cannot listen on port %d of %s (%s): choose another with %s"
            .formatted(address.port(), address.host(), why.toLowerCase(Locale.ROOT), port.option());
  }
}
