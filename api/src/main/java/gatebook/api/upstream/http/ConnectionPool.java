package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one address. Each request is written at most once, redirects are answers like
 * others, and nothing is tried again but a request of which no byte was written because its
 * connection had been closed while idle.
 */
public final class ConnectionPool {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final byte[] NOTHING = {};

  private final EventLoopGroup loops;
  private final ConnectionLimits connectionLimits;
  private final String path;
  private final String host;
  private final Connector connector;

  /** Guards what follows. */
  private final Object lock = new Object();

  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private final Deque<HttpExchange> waiting = new ArrayDeque<>();
  private int open;
  private int streaming;
  private boolean retired;

  /**
   * Connects when it has to.
   *
   * @param tls for an address that begins with {@code https}
   */
  public ConnectionPool(
      URI url, ConnectionLimits connectionLimits, SslContext tls, EventLoopGroup loops) {
    this.loops = loops;
    this.connectionLimits = connectionLimits;
    this.path = target(url);
    boolean encrypted = "https".equalsIgnoreCase(url.getScheme());
    int port = url.getPort() >= 0 ? url.getPort() : encrypted ? HTTPS_PORT : HTTP_PORT;
    this.host = url.getPort() >= 0 ? url.getHost() + ":" + url.getPort() : url.getHost();
    this.connector = new Connector(bare(url.getHost()), port, encrypted ? tls : null, this, loops);
  }

  private static String target(URI url) {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }

  private static String bare(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /**
   * Posts a body. Cancelling the future closes the connection that it is on.
   *
   * @param sseListener take what comes, when the answer is a stream
   */
  public CompletableFuture<ExchangeResult> post(
      HttpHeaders headers, byte[] body, Timeouts timeouts, SseListener sseListener) {
    headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return send(HttpMethod.POST, headers, body, timeouts, sseListener);
  }

  /** The same with a request that has no body. */
  public CompletableFuture<ExchangeResult> send(
      HttpMethod method, HttpHeaders headers, Timeouts timeouts, SseListener sseListener) {
    return send(method, headers, NOTHING, timeouts, sseListener);
  }

  private CompletableFuture<ExchangeResult> send(
      HttpMethod method,
      HttpHeaders headers,
      byte[] body,
      Timeouts timeouts,
      SseListener sseListener) {
    HttpExchange httpExchange =
        new HttpExchange(request(method, headers, body), sseListener, timeouts);
    watch(httpExchange, timeouts.answerMillis());
    CompletableFuture<Void> _ =
        httpExchange.streaming().thenRun(() -> watch(httpExchange, httpExchange.millisLeft()));
    CompletableFuture<ExchangeResult> _ =
        httpExchange.ending().whenComplete((_, _) -> over(httpExchange));
    send(httpExchange);
    return httpExchange.ending();
  }

  /** A stream may have got more time since the watch began, or less. */
  private void watch(HttpExchange httpExchange, long millis) {
    ScheduledFuture<?> limit =
        loops
            .next()
            .schedule(
                () -> {
                  long left = httpExchange.millisLeft();
                  if (left <= 0) {
                    httpExchange.late();
                  } else if (!httpExchange.isOver()) {
                    watch(httpExchange, left);
                  }
                },
                millis,
                TimeUnit.MILLISECONDS);
    CompletableFuture<ExchangeResult> _ =
        httpExchange.ending().whenComplete((_, _) -> limit.cancel(false));
  }

  /** How many connections are open, or about to be. */
  public int connections() {
    synchronized (lock) {
      return open + streaming;
    }
  }

  /** Keeps no connection any longer than its request needs it. */
  public void retire() {
    Deque<HttpConnection> unused;
    synchronized (lock) {
      retired = true;
      unused = new ArrayDeque<>(idle);
      idle.clear();
    }
    unused.forEach(HttpConnection::close);
  }

  ConnectionLimits bounds() {
    return connectionLimits;
  }

  private FullHttpRequest request(HttpMethod method, HttpHeaders headers, byte[] body) {
    headers.set(HttpHeaderNames.HOST, host);
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        method,
        path,
        Unpooled.wrappedBuffer(body),
        headers,
        EmptyHttpHeaders.INSTANCE);
  }

  private void over(HttpExchange httpExchange) {
    synchronized (lock) {
      waiting.remove(httpExchange);
    }
  }

  /** Gives it a connection that is free, or a new one, or a place among those who wait. */
  void send(HttpExchange httpExchange) {
    switch (place(httpExchange)) {
      case Place.On(var httpConnection) -> httpConnection.carry(httpExchange);
      case Place.New() -> connect(httpExchange);
      case Place.Queued() -> {
        // whoever is done with a connection comes back to it
      }
      case Place.None() -> httpExchange.end(new Overloaded());
    }
  }

  private sealed interface Place {
    record On(HttpConnection connection) implements Place {}

    record New() implements Place {}

    record Queued() implements Place {}

    record None() implements Place {}
  }

  private Place place(HttpExchange httpExchange) {
    synchronized (lock) {
      HttpConnection free = freshest();
      if (free != null) {
        return new Place.On(free);
      }
      if (open < connectionLimits.connectionsMax()) {
        open++;
        return new Place.New();
      }
      if (waiting.size() < connectionLimits.waitingMax()) {
        waiting.add(httpExchange);
        return new Place.Queued();
      }
      return new Place.None();
    }
  }

  private @Nullable HttpConnection freshest() {
    for (HttpConnection next = idle.poll(); next != null; next = idle.poll()) {
      if (next.isFresh()) {
        return next;
      }
      next.close();
    }
    return null;
  }

  private void connect(HttpExchange httpExchange) {
    httpExchange.connecting();
    CompletableFuture<HttpConnection> _ =
        connector
            .open()
            .whenComplete((httpConnection, failure) -> {
              if (failure == null) {
                httpConnection.whenClosed(() -> oneLess(httpConnection));
                httpConnection.carry(httpExchange);
              } else {
                httpExchange.end(new NotConnected(Connector.reason(failure)));
                oneLess(null);
              }
            });
  }

  /** Takes back a connection on which the next request may go. */
  void free(HttpConnection httpConnection) {
    HttpExchange next;
    boolean kept;
    synchronized (lock) {
      boolean hasPlace = hasPlaceAgain(httpConnection);
      next = hasPlace ? nextWaiting() : null;
      kept = hasPlace && next == null && !retired;
      if (kept) {
        httpConnection.idle();
        idle.push(httpConnection);
      }
    }
    if (next != null) {
      httpConnection.carry(next);
    } else if (!kept) {
      httpConnection.close();
    }
  }

  /** One that carried a stream comes back to the others, if none has taken its place. */
  private boolean hasPlaceAgain(HttpConnection httpConnection) {
    if (!httpConnection.isStreaming()) {
      return true;
    }
    if (open >= connectionLimits.connectionsMax()) {
      return false;
    }
    httpConnection.streams(false);
    streaming--;
    open++;
    return true;
  }

  /** A connection carries a stream, and others take its place; false when there are too many. */
  boolean streams(HttpConnection httpConnection) {
    HttpExchange next;
    synchronized (lock) {
      if (streaming >= connectionLimits.streamsMax()) {
        return false;
      }
      httpConnection.streams(true);
      streaming++;
      open--;
      next = nextWaiting();
    }
    if (next != null) {
      send(next);
    }
    return true;
  }

  private void oneLess(@Nullable HttpConnection httpConnection) {
    HttpExchange next;
    synchronized (lock) {
      if (httpConnection != null && httpConnection.isStreaming()) {
        streaming--;
        return;
      }
      open--;
      if (httpConnection != null) {
        idle.remove(httpConnection);
      }
      next = nextWaiting();
    }
    if (next != null) {
      send(next);
    }
  }

  private @Nullable HttpExchange nextWaiting() {
    HttpExchange next = waiting.poll();
    while (next != null && next.isOver()) {
      next = waiting.poll();
    }
    return next;
  }
}
