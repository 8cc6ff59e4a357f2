package gatebook.api.upstream.http;

import gatebook.api.http.tls.ClientTls;
import gatebook.command.rules.ClientTlsFiles;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends single requests to addresses that are asked seldom, with the connections that sources have,
 * too. The first request starts its thread, and no connection is kept.
 */
public final class SingleRequests implements AutoCloseable {
  private static final long STOP_SECONDS_MAX = 2;

  private @Nullable EventLoopGroup loops;
  private boolean closed;

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

  /** Sends a request with the TLS of the Java platform, as the other does. */
  public CompletableFuture<ExchangeResult> send(
      URI url,
      ConnectionLimits limits,
      Function<ConnectionPool, CompletableFuture<ExchangeResult>> request) {
    return send(url, limits, ClientTlsFiles.NONE, request);
  }

  /**
   * Sends a request. Never completed once this is closed: what was not sent did not fail.
   *
   * @param tls the files for an {@code https} URL; those that cannot be read make no connection
   * @param request sends it with a pool of its own
   */
  public CompletableFuture<ExchangeResult> send(
      URI url,
      ConnectionLimits limits,
      ClientTlsFiles tls,
      Function<ConnectionPool, CompletableFuture<ExchangeResult>> request) {
    EventLoopGroup open = loops();
    if (open == null) {
      return new CompletableFuture<>();
    }
    ConnectionPool connectionPool =
        new ConnectionPool(url, limits, () -> ClientTls.contextOf(tls), open);
    return request.apply(connectionPool).whenComplete((_, _) -> connectionPool.retire());
  }

  private synchronized @Nullable EventLoopGroup loops() {
    if (loops == null && !closed) {
      loops =
          new MultiThreadIoEventLoopGroup(
              1, new DefaultThreadFactory("single-requests", true), NioIoHandler.newFactory());
    }
    return closed ? null : loops;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (loops != null) {
      var _ = loops.shutdownGracefully(0, STOP_SECONDS_MAX, TimeUnit.SECONDS);
    }
  }
}
