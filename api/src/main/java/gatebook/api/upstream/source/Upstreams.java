package gatebook.api.upstream.source;

import gatebook.api.http.tls.ClientTls;
import gatebook.api.http.tls.SourceTls;
import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.agent.AgentUpstream;
import gatebook.api.upstream.agent.client.AgentClient;
import gatebook.api.upstream.agent.client.AgentSettings;
import gatebook.api.upstream.agent.client.RetryTiming;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.ConnectionTls;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.mcp.StatelessMeta;
import gatebook.api.upstream.process.ChildProcess;
import gatebook.api.upstream.process.ProcessLimits;
import gatebook.api.upstream.process.ProcessSupervisor;
import gatebook.api.upstream.process.StdioClient;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.ClientTlsFiles;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The upstreams of the current rules, with their connections.
 *
 * <p>A source whose definition did not change keeps its connections when the rules change. One that
 * was removed or redefined still serves calls that hold it, and keeps no idle connection.
 */
public final class Upstreams implements AutoCloseable {

  /** Slightly longer than the time after which a process is killed. */
  private static final long END_SECONDS_MAX = 6;

  private final EventLoopGroup loops;
  private final ScheduledFuture<?> rereading;
  private final MeterRegistry meters;
  private final Upstream demo;
  private final InstantSource clock;
  private final String version;

  private volatile Map<String, ServedSource> served = Map.of();

  /** A source with its limits; an equal definition keeps its upstream. */
  private record Definition(Source source, UpstreamLimits limits) {}

  /**
   * A source with its upstream.
   *
   * @param tls of its connections; empty where that is the platform's
   * @param attempts the figures of its attempts; empty where attempts are not measured
   * @param retire closes what is not in use, and the rest when its calls are done
   * @param end closes everything; completes when that is done
   */
  private record ServedSource(
      Definition definition,
      Upstream upstream,
      Optional<SourceTls> tls,
      Optional<UpstreamMeters> attempts,
      Runnable retire,
      Supplier<CompletableFuture<Void>> end) {}

  /**
   * Has no source yet.
   *
   * @param tlsReread how often the TLS files of sources are read again
   * @param demo the built-in upstream
   * @param version of Gatebook, as sent to servers
   */
  public Upstreams(
      EventLoopGroup loops,
      Duration tlsReread,
      MeterRegistry meters,
      Upstream demo,
      InstantSource clock,
      String version) {
    this.loops = loops;
    this.meters = meters;
    this.demo = demo;
    this.clock = clock;
    this.version = version;
    this.rereading =
        loops.scheduleWithFixedDelay(
            this::rereadTls, tlsReread.toMillis(), tlsReread.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Files may be on a slow disk, which must not hold up an event loop. */
  private void rereadTls() {
    List<SourceTls> read = served.values().stream().flatMap(it -> it.tls.stream()).toList();
    if (!read.isEmpty()) {
      Thread.ofPlatform()
          .daemon()
          .name("gatebook-tls-files")
          .start(() -> read.forEach(SourceTls::reread));
    }
  }

  /**
   * Replaces the sources, and returns their upstreams by id.
   *
   * @param limits for each source, except the timeouts, which its definition sets
   */
  public synchronized Map<String, Upstream> update(List<Source> sources, UpstreamLimits limits) {
    Map<String, ServedSource> next = new HashMap<>();
    Set<String> kept = new HashSet<>();
    for (Source source : sources) {
      Definition definition = new Definition(source, limits.of(source));
      ServedSource now = served.get(source.id());
      if (now != null && now.definition.equals(definition)) {
        kept.add(source.id());
        next.put(source.id(), now);
      }
    }
    served.forEach((id, old) -> {
      if (!kept.contains(id)) {
        old.retire.run();
      }
    });
    for (Source source : sources) {
      next.computeIfAbsent(source.id(), _ -> open(new Definition(source, limits.of(source))));
    }
    served = Map.copyOf(next);
    return upstreams();
  }

  /** The figures of the sources, by id; without those whose attempts are not measured. */
  public Map<String, AttemptFigures> attempts() {
    Map<String, AttemptFigures> byId = new HashMap<>();
    served.forEach((id, source) ->
        source.attempts.ifPresent(sourceMeters -> byId.put(id, sourceMeters.figures())));
    return Map.copyOf(byId);
  }

  /** Closes every idle connection and ends every process. */
  @Override
  public synchronized void close() {
    rereading.cancel(false);
    CompletableFuture.allOf(
            served.values().stream().map(old -> old.end.get()).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, END_SECONDS_MAX, TimeUnit.SECONDS)
        .join();
    served = Map.of();
  }

  private Map<String, Upstream> upstreams() {
    Map<String, Upstream> byId = new HashMap<>();
    served.forEach((id, upstream) -> byId.put(id, upstream.upstream));
    return Map.copyOf(byId);
  }

  private ServedSource open(Definition definition) {
    return switch (definition.source.kind()) {
      case DEMO -> serve(definition, demo, Optional.empty(), Optional.empty(), () -> {});
      case A2A -> agent(definition);
      case MCP, JSONRPC ->
          definition.source.program() == null
              ? http(definition)
              : process(definition, definition.source.program());
    };
  }

  private static ServedSource serve(
      Definition definition,
      Upstream upstream,
      Optional<SourceTls> tls,
      Optional<UpstreamMeters> attempts,
      Runnable retire) {
    return new ServedSource(
        definition,
        upstream,
        tls,
        attempts,
        retire,
        () -> {
          retire.run();
          return CompletableFuture.completedFuture(null);
        });
  }

  /** A disabled source is not started. */
  private ServedSource process(Definition definition, SourceProgram sourceProgram) {
    Source source = definition.source;
    Scrubber scrubber =
        new Scrubber(RedactionRules.DEFAULT, sourceProgram.environment().values(), Map.of());
    ChildProcess.LaunchSpec launchSpec =
        ChildProcess.LaunchSpec.of(source.id(), sourceProgram, System.getenv());
    ProcessLimits processLimits =
        ProcessLimits.DEFAULT.withMessages(
            definition.limits.connections().answerBytesMax(), definition.limits.depthMax());
    ProcessCalls calls = new ProcessCalls(definition.limits.depthMax());
    ProcessSessions sessions =
        new ProcessSessions(
            () -> StdioClient.start(launchSpec, processLimits, scrubber::scrub, loops),
            calls,
            definition.limits.connections().streamsMax(),
            definition.limits.connections().streamMillisMax());
    ProcessSupervisor processSupervisor =
        new ProcessSupervisor(
            launchSpec,
            processLimits,
            ProcessSupervisor.Pauses.DEFAULT,
            scrubber::scrub,
            loops,
            version,
            source.connectMillis());
    UpstreamMeters sourceMeters =
        new UpstreamMeters(meters, source.id(), () -> processSupervisor.isUp() ? 1 : 0);
    if (source.enabled()) {
      processSupervisor.start();
    }
    return new ServedSource(
        definition,
        new ProcessUpstream(source, processSupervisor, calls, sourceMeters, sessions),
        Optional.empty(),
        Optional.of(sourceMeters),
        () -> {
          sourceMeters.close();
          sessions.retire(source.answerMillis());
          processSupervisor.retire(source.answerMillis());
        },
        () -> {
          sourceMeters.close();
          return CompletableFuture.allOf(sessions.end(), processSupervisor.end());
        });
  }

  private ServedSource http(Definition definition) {
    Source source = definition.source;
    Optional<SourceTls> tls = tls(source);
    ConnectionPool connectionPool =
        new ConnectionPool(
            Objects.requireNonNull(source.url(), "a source over HTTP has a URL"),
            definition.limits.connections(),
            connectionTls(tls),
            loops);
    UpstreamMeters sourceMeters =
        new UpstreamMeters(meters, source.id(), connectionPool::connections);
    tls.ifPresent(it -> sourceMeters.registerCertificate(it::expiresAt));
    ResponseReader reader = new ResponseReader(definition.limits.depthMax());
    return serve(
        definition,
        new HttpUpstream(
            source,
            connectionPool,
            timeouts(definition),
            reader,
            sourceMeters,
            clock,
            StatelessMeta.clientInfo(version)),
        tls,
        Optional.of(sourceMeters),
        () -> {
          sourceMeters.close();
          connectionPool.retire();
        });
  }

  private ServedSource agent(Definition definition) {
    Source source = definition.source;
    Optional<SourceTls> tls = tls(source);
    AgentClient agentClient =
        new AgentClient(
            Objects.requireNonNull(source.url(), "an agent has a URL"),
            source.headers(),
            AgentSettings.of(definition.limits.agents(), RetryTiming.SYSTEM),
            loops,
            connectionTls(tls));
    UpstreamMeters sourceMeters = new UpstreamMeters(meters, source.id(), agentClient::connections);
    tls.ifPresent(it -> sourceMeters.registerCertificate(it::expiresAt));
    return serve(
        definition,
        new AgentUpstream(
            source,
            agentClient,
            clock,
            definition.limits.agents().cardMillisMax(),
            () -> sourceMeters.start()::record),
        tls,
        Optional.of(sourceMeters),
        () -> {
          sourceMeters.close();
          agentClient.close();
        });
  }

  /** Empty for a source that needs no more than the Java platform has. */
  private static Optional<SourceTls> tls(Source source) {
    return source.tls().equals(ClientTlsFiles.NONE)
        ? Optional.empty()
        : Optional.of(new SourceTls(source.id(), source.tls()));
  }

  private static ConnectionTls connectionTls(Optional<SourceTls> tls) {
    return tls.<ConnectionTls>map(it -> it::context).orElse(() -> ClientTls.DEFAULT.context());
  }

  private static Timeouts timeouts(Definition definition) {
    long answerMillis = definition.source.answerMillis();
    return new Timeouts(
        answerMillis,
        answerMillis,
        Math.max(answerMillis, definition.limits.answerMillisMax()),
        definition.limits.connections().streamMillisMax());
  }
}
