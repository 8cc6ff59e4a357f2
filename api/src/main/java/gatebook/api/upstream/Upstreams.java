package gatebook.api.upstream;

import gatebook.api.rpc.ResponseReader;
import gatebook.api.upstream.http.Bounds;
import gatebook.api.upstream.http.Line;
import gatebook.api.upstream.http.Patience;
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

/**
 * The sides behind us that the rules of now name, with their connections.
 *
 * <p>A source whose definition did not change keeps its connections when the rules do. One that is
 * gone, or defined otherwise, goes on serving whoever still holds it, and keeps no connection that
 * is not in use.
 */
public final class Upstreams implements AutoCloseable {

  private final EventLoopGroup loops;
  private final SslContext tls;
  private final MeterRegistry meters;
  private final Upstream demo;
  private final InstantSource clock;

  private Map<String, Live> live = Map.of();

  /** What makes two sources the same for us. */
  private record Definition(Source source, Bounds bounds, int depthMax) {}

  private record Live(Definition definition, Upstream upstream, Runnable retire) {}

  /**
   * Knows no source yet.
   *
   * @param demo the one that is built in
   */
  public Upstreams(
      EventLoopGroup loops,
      SslContext tls,
      MeterRegistry meters,
      Upstream demo,
      InstantSource clock) {
    this.loops = loops;
    this.tls = tls;
    this.meters = meters;
    this.demo = demo;
    this.clock = clock;
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

  /** Closes every connection that is not in use, and keeps none. */
  @Override
  public synchronized void close() {
    live.values().forEach(old -> old.retire.run());
    live = Map.of();
  }

  private Map<String, Upstream> upstreams() {
    Map<String, Upstream> byId = new HashMap<>();
    live.forEach((id, upstream) -> byId.put(id, upstream.upstream));
    return Map.copyOf(byId);
  }

  private Live open(Definition definition) {
    return switch (definition.source.kind()) {
      case DEMO -> new Live(definition, demo, () -> {});
      case MCP, JSONRPC -> http(definition);
    };
  }

  private Live http(Definition definition) {
    Source source = definition.source;
    Line line =
        new Line(
            Objects.requireNonNull(source.url(), "asked over HTTP"), definition.bounds, tls, loops);
    SourceMeters ours = new SourceMeters(meters, source.id(), line::connections);
    ResponseReader reader = new ResponseReader(definition.depthMax);
    return new Live(
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
