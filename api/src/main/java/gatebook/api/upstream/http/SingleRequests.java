package gatebook.api.upstream.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends single requests to addresses that are asked seldom, with the connections that sources have,
 * too. The first request starts its thread, and no connection is kept.
 */
public final class SingleRequests implements AutoCloseable {
  private static final long STOP_SECONDS_MAX = 2;

  private @Nullable Connections connections;
  private boolean closed;

  private record Connections(EventLoopGroup loops, SslContext tls) {
    static Connections open() {
      try {
        return new Connections(
            new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("single-requests", true), NioIoHandler.newFactory()),
            SslContextBuilder.forClient().build());
      } catch (SSLException e) {
        throw new IllegalStateException("every Java platform has TLS", e);
      }
    }
  }

  /** The limits of a single request that may take so long, from its beginning to its end. */
  public static ConnectionLimits limits(
      long millis, long connectMillisMax, int headerBytesMax, long answerBytesMax) {
    return new ConnectionLimits(
        1,
        1,
        millis,
        Math.min(connectMillisMax, millis),
        headerBytesMax,
        answerBytesMax,
        1,
        millis);
  }

  /**
   * Sends a request. Never completed once this is closed: what was not sent did not fail.
   *
   * @param request sends it with a pool of its own
   */
  public CompletableFuture<ExchangeResult> send(
      URI url,
      ConnectionLimits limits,
      Function<ConnectionPool, CompletableFuture<ExchangeResult>> request) {
    return send(url, limits, Optional.empty(), request);
  }

  /**
   * Sends a request.
   *
   * @param tls with which an {@code https} address is reached; empty for that of the platform
   * @param request sends it with a pool of its own
   */
  public CompletableFuture<ExchangeResult> send(
      URI url,
      ConnectionLimits limits,
      Optional<SslContext> tls,
      Function<ConnectionPool, CompletableFuture<ExchangeResult>> request) {
    Connections open = connections();
    if (open == null) {
      return new CompletableFuture<>();
    }
    ConnectionPool connectionPool =
        new ConnectionPool(url, limits, tls.orElse(open.tls), open.loops);
    return request.apply(connectionPool).whenComplete((_, _) -> connectionPool.retire());
  }

  private synchronized @Nullable Connections connections() {
    if (connections == null && !closed) {
      connections = Connections.open();
    }
    return closed ? null : connections;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (connections != null) {
      var _ = connections.loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
    }
  }
}
