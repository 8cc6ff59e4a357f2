package gatebook.api.upstream.http;

import gatebook.events.call.TextPrefix;
import gatebook.events.journal.storage.OngoingFailure;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connector to one address. Its connections are ready for a request, TLS included. */
final class Connector {

  private static final int LINE_BYTES_MAX = 4_096;
  private static final int CHUNK_BYTES_MAX = 64 << 10;
  private static final int REASON_CHARS_MAX = 200;

  private static final Logger LOG = LoggerFactory.getLogger(Connector.class);

  private final String host;
  private final int port;
  private final @Nullable ConnectionTls tls;
  private final ConnectionPool connectionPool;
  private final EventLoopGroup loops;
  private final OngoingFailure handshakes = new OngoingFailure();

  /** At most one DNS lookup runs at a time; all new connections wait for it. */
  private final AtomicReference<@Nullable CompletableFuture<List<InetAddress>>> lookup =
      new AtomicReference<>();

  Connector(
      String host,
      int port,
      @Nullable ConnectionTls tls,
      ConnectionPool connectionPool,
      EventLoopGroup loops) {
    this.host = host;
    this.port = port;
    this.tls = tls;
    this.connectionPool = connectionPool;
    this.loops = loops;
  }

  /** Opens a connection, or fails with an exception that {@link #reason} describes. */
  CompletableFuture<HttpConnection> open() {
    long deadline =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(connectionPool.limits().connectMillisMax());
    return addresses()
        .copy() // a timeout here must not end the lookup for others
        .orTimeout(connectionPool.limits().connectMillisMax(), TimeUnit.MILLISECONDS)
        .thenCompose(addresses -> openFirst(addresses, deadline));
  }

  private CompletableFuture<List<InetAddress>> addresses() {
    CompletableFuture<List<InetAddress>> fresh = new CompletableFuture<>();
    CompletableFuture<List<InetAddress>> running = lookup.compareAndExchange(null, fresh);
    if (running != null) {
      return running;
    }
    // lookups block, so none may run on an event loop
    Thread.ofPlatform().daemon().name("gatebook-lookup").start(() -> resolve(fresh));
    return fresh;
  }

  private void resolve(CompletableFuture<List<InetAddress>> found) {
    try {
      List<InetAddress> addresses = Arrays.asList(InetAddress.getAllByName(host));
      lookup.set(null);
      found.complete(addresses);
    } catch (UnknownHostException | RuntimeException e) {
      lookup.set(null);
      found.completeExceptionally(e);
    }
  }

  private CompletableFuture<HttpConnection> openFirst(List<InetAddress> addresses, long deadline) {
    CompletableFuture<HttpConnection> first = open(addresses.getFirst(), deadline);
    List<InetAddress> others = addresses.subList(1, addresses.size());
    return others.isEmpty() || first.state() == CompletableFuture.State.SUCCESS
        ? first
        : first.exceptionallyCompose(_ -> openFirst(others, deadline));
  }

  private CompletableFuture<HttpConnection> open(InetAddress address, long deadline) {
    @Nullable SslContext context;
    try {
      context = tls == null ? null : tls.context();
    } catch (SSLException e) {
      return CompletableFuture.failedFuture(e);
    }
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
    CompletableFuture<HttpConnection> opened = new CompletableFuture<>();
    SocketAddress to = new InetSocketAddress(address, port);
    new Bootstrap()
        .group(loops)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) millis)
        .option(ChannelOption.TCP_NODELAY, true)
        .handler(initializer(context, millis))
        .connect(to)
        .addListener((ChannelFuture connected) -> onConnected(connected, opened));
    return opened;
  }

  private ChannelInitializer<SocketChannel> initializer(@Nullable SslContext context, long millis) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        HttpConnection httpConnection = new HttpConnection(channel, connectionPool);
        if (context != null) {
          channel.pipeline().addLast(tlsHandler(channel, context, millis));
        }
        channel.pipeline().addLast(httpConnection.byteWatch(), codec(), httpConnection);
      }
    };
  }

  private SslHandler tlsHandler(Channel channel, SslContext context, long millis) {
    SslHandler handler = context.newHandler(channel.alloc(), host, port);
    handler.setHandshakeTimeoutMillis(millis);
    return handler;
  }

  private HttpClientCodec codec() {
    return new HttpClientCodec(
        new HttpDecoderConfig()
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(connectionPool.limits().headerBytesMax())
            .setMaxChunkSize(CHUNK_BYTES_MAX),
        false,
        false);
  }

  private void onConnected(ChannelFuture connected, CompletableFuture<HttpConnection> opened) {
    if (!connected.isSuccess()) {
      opened.completeExceptionally(connected.cause());
      return;
    }
    HttpConnection httpConnection = connected.channel().pipeline().get(HttpConnection.class);
    SslHandler tlsHandler = connected.channel().pipeline().get(SslHandler.class);
    if (tlsHandler == null) {
      opened.complete(httpConnection);
      return;
    }
    tlsHandler
        .handshakeFuture()
        .addListener(handshake -> {
          if (handshake.isSuccess()) {
            handshakes.end();
            opened.complete(httpConnection);
          } else {
            httpConnection.close();
            logRefusal(reason(handshake.cause()));
            opened.completeExceptionally(handshake.cause());
          }
        });
  }

  /** Logs why the handshakes with the address fail, once for each reason. */
  void logRefusal(String reason) {
    if (handshakes.isNew(reason)) {
      LOG.atWarn()
          .addKeyValue("host", host)
          .addKeyValue("port", port)
          .addKeyValue("reason", reason)
          .log("no trusted connection to an upstream");
    }
  }

  /** Why the connection failed, for operators. */
  static String reason(Throwable failure) {
    return switch (failure) {
      case CompletionException wrapped when wrapped.getCause() != null ->
          reason(wrapped.getCause());
      case UnknownHostException _ -> "unknown host";
      case ConnectTimeoutException _ -> "no connection in time";
      case TimeoutException _ -> "the host was not looked up in time";
      case ConnectException _ -> "connection refused";
      case NoRouteToHostException _ -> "no route to host";
      case SSLException e ->
          "tls failed: " + TextPrefix.of(String.valueOf(e.getMessage()), REASON_CHARS_MAX);
      default -> "failed to connect: " + failure.getClass().getSimpleName();
    };
  }
}
