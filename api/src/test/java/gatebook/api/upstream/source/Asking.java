package gatebook.api.upstream.source;

import static java.util.Objects.requireNonNull;

import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Aside;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.command.rules.Source;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;

/** Upstreams on event loops of their own, closed with all their connections. */
final class Asking implements AutoCloseable {

  static final Call CALL = call("tools/call", "{\"name\":\"echo\",\"arguments\":{}}");

  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Upstreams upstreams;

  Asking() {
    this(trustingTheSystem());
  }

  Asking(SslContext tls) {
    this.upstreams =
        new Upstreams(
            loops, tls, meters, new DemoUpstream(Clock.systemUTC()), Clock.systemUTC(), "0");
  }

  Upstream upstream(Source source) {
    return upstream(source, ConnectionLimits.DEFAULT);
  }

  Upstream upstream(Source source, ConnectionLimits connectionLimits) {
    return requireNonNull(upstreams.of(List.of(source), connectionLimits, 256).get(source.id()));
  }

  /** What one call of a source ends in. */
  Response response(Source source) {
    return upstream(source).call(CALL, Aside.NOBODY).join();
  }

  ConnectionPool line(URI url, ConnectionLimits connectionLimits) {
    return new ConnectionPool(url, connectionLimits, trustingTheSystem(), loops);
  }

  Upstreams upstreams() {
    return upstreams;
  }

  EventLoopGroup loops() {
    return loops;
  }

  SimpleMeterRegistry meters() {
    return meters;
  }

  /** How many connections to the one source are open. */
  int connections() {
    return (int) meters.get("gatebook.upstream.connections").gauge().value();
  }

  static Call call(String method, String params) {
    return new Call(null, method, params, false, Map.of());
  }

  private static SslContext trustingTheSystem() {
    try {
      return SslContextBuilder.forClient().build();
    } catch (SSLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    upstreams.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }
}
