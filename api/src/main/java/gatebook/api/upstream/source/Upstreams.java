package gatebook.api.upstream.source;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.Timeouts;
import gatebook.api.upstream.process.ChildProcess;
import gatebook.api.upstream.process.ProcessSupervisor;
import gatebook.api.upstream.process.StdioClient;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Source;
import gatebook.command.rules.SourceProgram;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.ssl.SslContext;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The sides behind us that the rules of now name, with their connections.
 *
 * <p>A source whose definition did not change keeps its connections when the rules do. One that is
 * gone, or defined otherwise, goes on serving whoever still holds it, and keeps no connection that
 * is not in use.
 */
public final class Upstreams implements AutoCloseable {

  /** Somewhat longer than a program is given before it is killed. */
  private static final long END_SECONDS_MAX = 6;

  private final EventLoopGroup loops;
  private final SslContext tls;
  private final MeterRegistry meters;
  private final Upstream demo;
  private final InstantSource clock;
  private final String version;

  private Map<String, Live> live = Map.of();

  /** What makes two sources the same for us. */
  private record Definition(Source source, ConnectionLimits bounds, int depthMax) {}

  /**
   * One that is served.
   *
   * @param retire has it keep nothing that is not in use
   * @param end has it keep nothing; completes when that is so
   */
  private record Live(
      Definition definition,
      Upstream upstream,
      Runnable retire,
      Supplier<CompletableFuture<Void>> end) {}

  /**
   * Knows no source yet.
   *
   * @param demo the one that is built in
   * @param version what servers are told of our own
   */
  public Upstreams(
      EventLoopGroup loops,
      SslContext tls,
      MeterRegistry meters,
      Upstream demo,
      InstantSource clock,
      String version) {
    this.loops = loops;
    this.tls = tls;
    this.meters = meters;
    this.demo = demo;
    this.clock = clock;
    this.version = version;
  }

  /**
   * The upstreams of these sources, by their ids, from now on.
   *
   * @param connectionLimits for each of them; its own definition says how long connecting may take
   */
  public synchronized Map<String, Upstream> of(
      List<Source> sources, ConnectionLimits connectionLimits, int depthMax) {
    Map<String, Live> next = new HashMap<>();
    Set<String> kept = new HashSet<>();
    for (Source source : sources) {
      Definition definition = new Definition(source, of(source, connectionLimits), depthMax);
      Live now = live.get(source.id());
      if (now != null && now.definition.equals(definition)) {
        kept.add(source.id());
        next.put(source.id(), now);
      }
    }
    live.forEach((id, old) -> {
      if (!kept.contains(id)) {
        old.retire.run();
      }
    });
    for (Source source : sources) {
      next.computeIfAbsent(
          source.id(), _ -> open(new Definition(source, of(source, connectionLimits), depthMax)));
    }
    live = Map.copyOf(next);
    return upstreams();
  }

  /** Closes every connection that is not in use, ends every program, and keeps none. */
  @Override
  public synchronized void close() {
    CompletableFuture.allOf(
            live.values().stream().map(old -> old.end.get()).toArray(CompletableFuture<?>[]::new))
        .completeOnTimeout(null, END_SECONDS_MAX, TimeUnit.SECONDS)
        .join();
    live = Map.of();
  }

  private Map<String, Upstream> upstreams() {
    Map<String, Upstream> byId = new HashMap<>();
    live.forEach((id, upstream) -> byId.put(id, upstream.upstream));
    return Map.copyOf(byId);
  }

  private Live open(Definition definition) {
    return switch (definition.source.kind()) {
      case DEMO -> live(definition, demo, () -> {});
      case MCP, JSONRPC ->
          definition.source.program() == null
              ? http(definition)
              : program(definition, definition.source.program());
    };
  }

  private static Live live(Definition definition, Upstream upstream, Runnable retire) {
    return new Live(
        definition,
        upstream,
        retire,
        () -> {
          retire.run();
          return CompletableFuture.completedFuture(null);
        });
  }

  /** One that is switched off is not started. */
  private Live program(Definition definition, SourceProgram sourceProgram) {
    Source source = definition.source;
    Scrubber own =
        new Scrubber(RedactionRules.DEFAULT, sourceProgram.environment().values(), Map.of());
    ChildProcess.How how = ChildProcess.How.of(source.id(), sourceProgram, System.getenv());
    gatebook.api.upstream.process.ProcessLimits each =
        gatebook.api.upstream.process.ProcessLimits.DEFAULT.reading(
            definition.bounds.answerBytesMax(), definition.depthMax);
    ProcessAnswers answers = new ProcessAnswers(definition.depthMax);
    ProcessSessions legs =
        new ProcessSessions(
            () -> StdioClient.begin(how, each, own::scrub, loops),
            answers,
            definition.bounds.streamsMax(),
            definition.bounds.streamMillisMax());
    ProcessSupervisor processSupervisor =
        new ProcessSupervisor(
            how,
            each,
            ProcessSupervisor.Pauses.DEFAULT,
            own::scrub,
            loops,
            version,
            source.connectMillis());
    UpstreamMeters ours =
        new UpstreamMeters(meters, source.id(), () -> processSupervisor.isUp() ? 1 : 0);
    if (source.enabled()) {
      processSupervisor.begin();
    }
    return new Live(
        definition,
        new ProcessUpstream(source, processSupervisor, answers, ours, legs),
        () -> {
          ours.close();
          legs.retire(source.answerMillis());
          processSupervisor.retire(source.answerMillis());
        },
        () -> {
          ours.close();
          return CompletableFuture.allOf(legs.end(), processSupervisor.end());
        });
  }

  private Live http(Definition definition) {
    Source source = definition.source;
    ConnectionPool connectionPool =
        new ConnectionPool(
            Objects.requireNonNull(source.url(), "asked over HTTP"), definition.bounds, tls, loops);
    UpstreamMeters ours = new UpstreamMeters(meters, source.id(), connectionPool::connections);
    ResponseReader reader = new ResponseReader(definition.depthMax);
    return live(
        definition,
        new HttpUpstream(source, connectionPool, patience(definition), reader, ours, clock),
        () -> {
          ours.close();
          connectionPool.retire();
        });
  }

  private static Timeouts patience(Definition definition) {
    long answerMillis = definition.source.answerMillis();
    return new Timeouts(answerMillis, answerMillis, definition.bounds.streamMillisMax());
  }

  private static ConnectionLimits of(Source source, ConnectionLimits all) {
    return new ConnectionLimits(
        all.connectionsMax(),
        all.waitingMax(),
        all.idleMillisMax(),
        source.connectMillis(),
        all.headerBytesMax(),
        all.answerBytesMax(),
        all.streamsMax(),
        all.streamMillisMax());
  }
}
