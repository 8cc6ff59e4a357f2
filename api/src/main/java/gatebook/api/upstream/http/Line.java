package gatebook.api.upstream.http;

import gatebook.api.upstream.http.Ending.NotConnected;
import gatebook.api.upstream.http.Ending.Overloaded;
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
public final class Line {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final byte[] NOTHING = {};

  private final EventLoopGroup loops;
  private final Bounds bounds;
  private final String path;
  private final String host;
  private final Connecting connecting;

  /** Guards what follows. */
  private final Object lock = new Object();

  private final Deque<Connection> idle = new ArrayDeque<>();
  private final Deque<Exchange> waiting = new ArrayDeque<>();
  private int open;
  private int streaming;
  private boolean retired;

  /**
   * Connects when it has to.
   *
   * @param tls for an address that begins with {@code https}
   */
  public Line(URI url, Bounds bounds, SslContext tls, EventLoopGroup loops) {
    this.loops = loops;
    this.bounds = bounds;
    this.path = target(url);
    boolean encrypted = "https".equalsIgnoreCase(url.getScheme());
    int port = url.getPort() >= 0 ? url.getPort() : encrypted ? HTTPS_PORT : HTTP_PORT;
    this.host = url.getPort() >= 0 ? url.getHost() + ":" + url.getPort() : url.getHost();
    this.connecting =
        new Connecting(bare(url.getHost()), port, encrypted ? tls : null, this, loops);
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
   * @param events take what comes, when the answer is a stream
   */
  public CompletableFuture<Ending> post(
      HttpHeaders headers, byte[] body, Patience patience, Events events) {
    headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return send(HttpMethod.POST, headers, body, patience, events);
  }

  /** The same with a request that has no body. */
  public CompletableFuture<Ending> send(
      HttpMethod method, HttpHeaders headers, Patience patience, Events events) {
    return send(method, headers, NOTHING, patience, events);
  }

  private CompletableFuture<Ending> send(
      HttpMethod method, HttpHeaders headers, byte[] body, Patience patience, Events events) {
    Exchange exchange = new Exchange(request(method, headers, body), events, patience);
    watch(exchange, patience.answerMillis());
    CompletableFuture<Void> _ =
        exchange.streaming().thenRun(() -> watch(exchange, exchange.millisLeft()));
    CompletableFuture<Ending> _ = exchange.ending().whenComplete((_, _) -> over(exchange));
    send(exchange);
    return exchange.ending();
  }

  /** A stream may have got more time since the watch began, or less. */
  private void watch(Exchange exchange, long millis) {
    ScheduledFuture<?> limit =
        loops
            .next()
            .schedule(
                () -> {
                  long left = exchange.millisLeft();
                  if (left <= 0) {
                    exchange.late();
                  } else if (!exchange.isOver()) {
                    watch(exchange, left);
                  }
                },
                millis,
                TimeUnit.MILLISECONDS);
    CompletableFuture<Ending> _ = exchange.ending().whenComplete((_, _) -> limit.cancel(false));
  }

  /** How many connections are open, or about to be. */
  public int connections() {
    synchronized (lock) {
      return open + streaming;
    }
  }

  /** Keeps no connection any longer than its request needs it. */
  public void retire() {
    Deque<Connection> unused;
    synchronized (lock) {
      retired = true;
      unused = new ArrayDeque<>(idle);
      idle.clear();
    }
    unused.forEach(Connection::close);
  }

  Bounds bounds() {
    return bounds;
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

  private void over(Exchange exchange) {
    synchronized (lock) {
      waiting.remove(exchange);
    }
  }

  /** Gives it a connection that is free, or a new one, or a place among those who wait. */
  void send(Exchange exchange) {
    switch (place(exchange)) {
      case Place.On(var connection) -> connection.carry(exchange);
      case Place.New() -> connect(exchange);
      case Place.Queued() -> {
        // whoever is done with a connection comes back to it
      }
      case Place.None() -> exchange.end(new Overloaded());
    }
  }

  private sealed interface Place {
    record On(Connection connection) implements Place {}

    record New() implements Place {}

    record Queued() implements Place {}

    record None() implements Place {}
  }

  private Place place(Exchange exchange) {
    synchronized (lock) {
      Connection free = freshest();
      if (free != null) {
        return new Place.On(free);
      }
      if (open < bounds.connectionsMax()) {
        open++;
        return new Place.New();
      }
      if (waiting.size() < bounds.waitingMax()) {
        waiting.add(exchange);
        return new Place.Queued();
      }
      return new Place.None();
    }
  }

  private @Nullable Connection freshest() {
    for (Connection next = idle.poll(); next != null; next = idle.poll()) {
      if (next.isFresh()) {
        return next;
      }
      next.close();
    }
    return null;
  }

  private void connect(Exchange exchange) {
    exchange.connecting();
    CompletableFuture<Connection> _ =
        connecting
            .open()
            .whenComplete((connection, failure) -> {
              if (failure == null) {
                connection.whenClosed(() -> oneLess(connection));
                connection.carry(exchange);
              } else {
                exchange.end(new NotConnected(Connecting.reason(failure)));
                oneLess(null);
              }
            });
  }

  /** Takes back a connection on which the next request may go. */
  void free(Connection connection) {
    Exchange next;
    boolean kept;
    synchronized (lock) {
      boolean hasPlace = hasPlaceAgain(connection);
      next = hasPlace ? nextWaiting() : null;
      kept = hasPlace && next == null && !retired;
      if (kept) {
        connection.idle();
        idle.push(connection);
      }
    }
    if (next != null) {
      connection.carry(next);
    } else if (!kept) {
      connection.close();
    }
  }

  /** One that carried a stream comes back to the others, if none has taken its place. */
  private boolean hasPlaceAgain(Connection connection) {
    if (!connection.isStreaming()) {
      return true;
    }
    if (open >= bounds.connectionsMax()) {
      return false;
    }
    connection.streams(false);
    streaming--;
    open++;
    return true;
  }

  /** A connection carries a stream, and others take its place; false when there are too many. */
  boolean streams(Connection connection) {
    Exchange next;
    synchronized (lock) {
      if (streaming >= bounds.streamsMax()) {
        return false;
      }
      connection.streams(true);
      streaming++;
      open--;
      next = nextWaiting();
    }
    if (next != null) {
      send(next);
    }
    return true;
  }

  private void oneLess(@Nullable Connection connection) {
    Exchange next;
    synchronized (lock) {
      if (connection != null && connection.isStreaming()) {
        streaming--;
        return;
      }
      open--;
      if (connection != null) {
        idle.remove(connection);
      }
      next = nextWaiting();
    }
    if (next != null) {
      send(next);
    }
  }

  private @Nullable Exchange nextWaiting() {
    Exchange next = waiting.poll();
    while (next != null && next.isOver()) {
      next = waiting.poll();
    }
    return next;
  }
}
