package gatebook.api.upstream;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.http.Bounds;
import gatebook.api.upstream.http.Line;
import gatebook.api.upstream.http.Patience;
import gatebook.api.upstream.process.Child;
import gatebook.api.upstream.process.Dialogue;
import gatebook.api.upstream.process.Supervisor;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.Program;
import gatebook.command.rules.Redaction;
import gatebook.command.rules.Source;
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
  private record Definition(Source source, Bounds bounds, int depthMax) {}

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
   * @param bounds for each of them; its own definition says how long connecting may take
   */
  public synchronized Map<String, Upstream> of(List<Source> sources, Bounds bounds, int depthMax) {
    Map<String, Live> next = new HashMap<>();
    Set<String> kept = new HashSet<>();
    for (Source source : sources) {
      Definition definition = new Definition(source, of(source, bounds), depthMax);
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
          source.id(), _ -> open(new Definition(source, of(source, bounds), depthMax)));
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
  private Live program(Definition definition, Program program) {
    Source source = definition.source;
    Scrubber own = new Scrubber(Redaction.DEFAULT, program.environment().values(), Map.of());
    Child.How how = Child.How.of(source.id(), program, System.getenv());
    gatebook.api.upstream.process.Bounds each =
        gatebook.api.upstream.process.Bounds.DEFAULT.reading(
            definition.bounds.answerBytesMax(), definition.depthMax);
    LineAnswers answers = new LineAnswers(definition.depthMax);
    ProcessLegs legs =
        new ProcessLegs(
            () -> Dialogue.begin(how, each, own::scrub, loops),
            answers,
            definition.bounds.streamsMax(),
            definition.bounds.streamMillisMax());
    Supervisor supervisor =
        new Supervisor(
            how,
            each,
            Supervisor.Pauses.DEFAULT,
            own::scrub,
            loops,
            version,
            source.connectMillis());
    SourceMeters ours = new SourceMeters(meters, source.id(), () -> supervisor.isUp() ? 1 : 0);
    if (source.enabled()) {
      supervisor.begin();
    }
    return new Live(
        definition,
        new ProcessSource(source, supervisor, answers, ours, legs),
        () -> {
          ours.close();
          legs.retire(source.answerMillis());
          supervisor.retire(source.answerMillis());
        },
        () -> {
          ours.close();
          return CompletableFuture.allOf(legs.end(), supervisor.end());
        });
  }

  private Live http(Definition definition) {
    Source source = definition.source;
    Line line =
        new Line(
            Objects.requireNonNull(source.url(), "asked over HTTP"), definition.bounds, tls, loops);
    SourceMeters ours = new SourceMeters(meters, source.id(), line::connections);
    ResponseReader reader = new ResponseReader(definition.depthMax);
    return live(
        definition,
        new HttpSource(source, line, patience(definition), reader, ours, clock),
        () -> {
          ours.close();
          line.retire();
        });
  }

  private static Patience patience(Definition definition) {
    long answerMillis = definition.source.answerMillis();
    return new Patience(answerMillis, answerMillis, definition.bounds.streamMillisMax());
  }

  private static Bounds of(Source source, Bounds all) {
    return new Bounds(
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
