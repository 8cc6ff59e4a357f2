package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.NotConnected;
import gatebook.api.upstream.http.ExchangeResult.Overloaded;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The pool of connections to one address, reused between requests. Each request is written at most
 * once, and redirects are returned, not followed. A request is sent on another connection only when
 * its connection was closed while idle, so that no byte of it was written.
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

  /** Guards the fields below. */
  private final Object lock = new Object();

  private final Deque<HttpConnection> idle = new ArrayDeque<>();
  private final Deque<HttpExchange> waiting = new ArrayDeque<>();
  private int open;
  private int streaming;
  private boolean retired;

  /**
   * Opens no connection yet.
   *
   * @param tls for an {@code https} address
   */
  public ConnectionPool(
      URI url, ConnectionLimits connectionLimits, ConnectionTls tls, EventLoopGroup loops) {
    this.loops = loops;
    this.connectionLimits = connectionLimits;
    this.path = target(url);
    boolean encrypted = "https".equalsIgnoreCase(url.getScheme());
    int port = url.getPort() >= 0 ? url.getPort() : encrypted ? HTTPS_PORT : HTTP_PORT;
    this.host = url.getPort() >= 0 ? url.getHost() + ":" + url.getPort() : url.getHost();
    this.connector =
        new Connector(withoutBrackets(url.getHost()), port, encrypted ? tls : null, this, loops);
  }

  /** The path and the query of an address, as a request names them. */
  public static String target(URI url) {
    String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
  }

  private static String withoutBrackets(String host) {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /**
   * Posts a body. Cancelling the future closes the connection of the request.
   *
   * @param sseListener receives the events when the response is a stream
   */
  public CompletableFuture<ExchangeResult> post(
      HttpHeaders headers, byte[] body, Timeouts timeouts, SseListener sseListener) {
    return post(path, headers, body, timeouts, sseListener);
  }

  /** The same to another path of the address. */
  public CompletableFuture<ExchangeResult> post(
      String target, HttpHeaders headers, byte[] body, Timeouts timeouts, SseListener sseListener) {
    headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return send(request(HttpMethod.POST, target, headers, body), timeouts, sseListener);
  }

  /** Puts a body, as {@link #post} posts one. */
  public CompletableFuture<ExchangeResult> put(
      HttpHeaders headers, byte[] body, Timeouts timeouts, SseListener sseListener) {
    headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    return send(request(HttpMethod.PUT, path, headers, body), timeouts, sseListener);
  }

  /** Sends a request without a body. */
  public CompletableFuture<ExchangeResult> send(
      HttpMethod method, HttpHeaders headers, Timeouts timeouts, SseListener sseListener) {
    return send(request(method, path, headers, NOTHING), timeouts, sseListener);
  }

  /** Gets what is at another path of the address. */
  public CompletableFuture<ExchangeResult> get(
      String target, HttpHeaders headers, Timeouts timeouts, SseListener sseListener) {
    return send(request(HttpMethod.GET, target, headers, NOTHING), timeouts, sseListener);
  }

  private CompletableFuture<ExchangeResult> send(
      FullHttpRequest request, Timeouts timeouts, SseListener sseListener) {
    HttpExchange httpExchange = new HttpExchange(request, sseListener, timeouts);
    scheduleTimeout(httpExchange, timeouts.answerMillis());
    CompletableFuture<Void> _ =
        httpExchange
            .streaming()
            .thenRun(() -> scheduleTimeout(httpExchange, httpExchange.millisLeft()));
    CompletableFuture<ExchangeResult> _ =
        httpExchange.result().whenComplete((_, _) -> dequeue(httpExchange));
    send(httpExchange);
    return httpExchange.result();
  }

  /** Ends the exchange at its deadline, which a stream moves whenever an event arrives. */
  private void scheduleTimeout(HttpExchange httpExchange, long millis) {
    ScheduledFuture<?> limit =
        loops
            .next()
            .schedule(
                () -> {
                  long left = httpExchange.millisLeft();
                  if (left <= 0) {
                    httpExchange.timeOut();
                  } else if (!httpExchange.isOver()) {
                    scheduleTimeout(httpExchange, left);
                  }
                },
                millis,
                TimeUnit.MILLISECONDS);
    CompletableFuture<ExchangeResult> _ =
        httpExchange.result().whenComplete((_, _) -> limit.cancel(false));
  }

  /** The number of connections that are open or being opened. */
  public int connections() {
    synchronized (lock) {
      return open + streaming;
    }
  }

  /** Closes idle connections now, and the others when their requests are done. */
  public void retire() {
    Deque<HttpConnection> unused;
    synchronized (lock) {
      retired = true;
      unused = new ArrayDeque<>(idle);
      idle.clear();
    }
    unused.forEach(HttpConnection::close);
  }

  ConnectionLimits limits() {
    return connectionLimits;
  }

  private FullHttpRequest request(
      HttpMethod method, String target, HttpHeaders headers, byte[] body) {
    headers.set(HttpHeaderNames.HOST, host);
    headers.set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
    return new DefaultFullHttpRequest(
        HttpVersion.HTTP_1_1,
        method,
        target,
        Unpooled.wrappedBuffer(body),
        headers,
        EmptyHttpHeaders.INSTANCE);
  }

  private void dequeue(HttpExchange httpExchange) {
    synchronized (lock) {
      waiting.remove(httpExchange);
    }
  }

  /** Sends the request on an idle or a new connection, or queues it. */
  void send(HttpExchange httpExchange) {
    switch (claim(httpExchange)) {
      case Claim.On(var httpConnection) -> httpConnection.start(httpExchange);
      case Claim.New() -> connect(httpExchange);
      case Claim.Queued() -> {
        // sent when a connection is released
      }
      case Claim.None() -> httpExchange.end(new Overloaded());
    }
  }

  private sealed interface Claim {
    record On(HttpConnection connection) implements Claim {}

    record New() implements Claim {}

    record Queued() implements Claim {}

    record None() implements Claim {}
  }

  private Claim claim(HttpExchange httpExchange) {
    synchronized (lock) {
      HttpConnection free = takeIdle();
      if (free != null) {
        return new Claim.On(free);
      }
      if (open < connectionLimits.connectionsMax()) {
        open++;
        return new Claim.New();
      }
      if (waiting.size() < connectionLimits.waitingMax()) {
        waiting.add(httpExchange);
        return new Claim.Queued();
      }
      return new Claim.None();
    }
  }

  private @Nullable HttpConnection takeIdle() {
    for (HttpConnection next = idle.poll(); next != null; next = idle.poll()) {
      if (next.isFresh()) {
        return next;
      }
      next.close();
    }
    return null;
  }

  private void connect(HttpExchange httpExchange) {
    httpExchange.markConnecting();
    CompletableFuture<HttpConnection> _ =
        connector
            .open()
            .whenComplete((httpConnection, failure) -> {
              if (failure == null) {
                httpConnection.onClose(() -> onClosed(httpConnection));
                httpConnection.start(httpExchange);
              } else {
                httpExchange.end(new NotConnected(Connector.reason(failure)));
                onClosed(null);
              }
            });
  }

  /** Ends an exchange whose server refused the client's certificate: the request was not read. */
  void refuse(HttpExchange httpExchange, SSLException refusal) {
    String reason = Connector.reason(refusal);
    connector.logRefusal(reason);
    httpExchange.end(new NotConnected(reason));
  }

  /** Takes back a connection that can carry the next request. */
  void release(HttpConnection httpConnection) {
    HttpExchange next;
    boolean kept;
    synchronized (lock) {
      boolean isOrdinary = rejoin(httpConnection);
      next = isOrdinary ? takeWaiting() : null;
      kept = isOrdinary && next == null && !retired;
      if (kept) {
        httpConnection.markIdle();
        idle.push(httpConnection);
      }
    }
    if (next != null) {
      httpConnection.start(next);
    } else if (!kept) {
      httpConnection.close();
    }
  }

  /** Counts a connection that carried a stream as an ordinary one again, if the limit allows. */
  private boolean rejoin(HttpConnection httpConnection) {
    if (!httpConnection.isStreaming()) {
      return true;
    }
    if (open >= connectionLimits.connectionsMax()) {
      return false;
    }
    httpConnection.setStreaming(false);
    streaming--;
    open++;
    return true;
  }

  /**
   * Counts a connection as a stream, which frees its place for another one. False when there are
   * too many streams.
   */
  boolean claimStream(HttpConnection httpConnection) {
    HttpExchange next;
    synchronized (lock) {
      if (streaming >= connectionLimits.streamsMax()) {
        return false;
      }
      httpConnection.setStreaming(true);
      streaming++;
      open--;
      next = takeWaiting();
    }
    if (next != null) {
      send(next);
    }
    return true;
  }

  private void onClosed(@Nullable HttpConnection httpConnection) {
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
      next = takeWaiting();
    }
    if (next != null) {
      send(next);
    }
  }

  private @Nullable HttpExchange takeWaiting() {
    HttpExchange next = waiting.poll();
    while (next != null && next.isOver()) {
      next = waiting.poll();
    }
    return next;
  }
}
