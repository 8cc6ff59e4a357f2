package gatebook.api.upstream.source;

import static java.util.Objects.requireNonNull;

import gatebook.api.http.tls.ClientTls;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.Upstream.Call;
import gatebook.api.upstream.Upstream.MessageListener;
import gatebook.api.upstream.Upstream.Response;
import gatebook.api.upstream.agent.client.AgentLimits;
import gatebook.api.upstream.http.ConnectionLimits;
import gatebook.api.upstream.http.ConnectionPool;
import gatebook.api.upstream.http.TestEventLoops;
import gatebook.command.rules.Source;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Upstreams that are closed together with all their connections. */
final class UpstreamFixture implements AutoCloseable {

  static final Call CALL =
      call(
          "tools/call",
          """
          {"name":"echo","arguments":{}}\
          """);

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Upstreams upstreams;

  UpstreamFixture() {
    this.upstreams =
        new Upstreams(
            TestEventLoops.LOOPS,
            Duration.ofMillis(50),
            meters,
            new DemoUpstream(Clock.systemUTC()),
            Clock.systemUTC(),
            "0");
  }

  Upstream upstream(Source source) {
    return upstream(source, ConnectionLimits.DEFAULT);
  }

  Upstream upstream(Source source, ConnectionLimits connectionLimits) {
    return upstream(source, new UpstreamLimits(connectionLimits, AgentLimits.DEFAULT, 256, 30_000));
  }

  Upstream upstream(Source source, UpstreamLimits upstreamLimits) {
    return requireNonNull(upstreams.update(List.of(source), upstreamLimits).get(source.id()));
  }

  /** The response to one call. */
  Response response(Source source) {
    return upstream(source).call(CALL, MessageListener.NONE).join();
  }

  ConnectionPool pool(URI url, ConnectionLimits connectionLimits) {
    return new ConnectionPool(
        url, connectionLimits, ClientTls.DEFAULT::context, TestEventLoops.LOOPS);
  }

  Upstreams upstreams() {
    return upstreams;
  }

  SimpleMeterRegistry meters() {
    return meters;
  }

  /** The number of open connections to the source. */
  int connections() {
    return (int) meters.get("gatebook.upstream.connections").gauge().value();
  }

  static Call call(String method, String params) {
    return new Call(null, method, params, false, Map.of());
  }

  @Override
  public void close() {
    upstreams.close();
  }
}
