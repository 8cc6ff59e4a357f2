package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.Defect;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP connection, which carries one exchange at a time and runs on its event loop.
 *
 * <p>The connection goes back to the pool only when the last response was read to its end and its
 * listener has taken everything, so that a second response to one request is never taken for the
 * response to the next, and no request waits for a listener of another.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {

  /** How long the rest of a stream may take after the event that answered. */
  private static final long REST_MILLIS_MAX = 1_000;

  /** How long a listener may take the last part of a response before the connection is closed. */
  private static final long TAKING_MILLIS_MAX = 1_000;

  /** A stream that takes no longer than this is not counted as a stream. */
  private static final long SHORT_STREAM_MILLIS = 50;

  private static final long IDLE_CHECK_MILLIS = 1_000;

  private static final Pattern KEEP_ALIVE_SECONDS = Pattern.compile("(?i)\\btimeout=(\\d{1,9})");
  private static final Pattern CERTIFICATE_REFUSED =
      Pattern.compile("fatal alert: (?:\\w*certificate\\w*|unknown_ca|access_denied)");
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final Channel channel;
  private final ConnectionPool connectionPool;
  private @Nullable ResponseCollector current;
  private boolean anyByteReceived;

  /** Whether nothing was received yet by this connection. */
  private boolean isFirst = true;

  private boolean informational;
  private boolean reusable;
  private boolean complete;

  /** Whether the pool counts this connection as a stream; guarded by the pool's lock. */
  private boolean streaming;

  private volatile long idleSinceNanos;
  private volatile long idleMillisMax;

  HttpConnection(Channel channel, ConnectionPool connectionPool) {
    this.channel = channel;
    this.connectionPool = connectionPool;
    this.idleMillisMax = connectionPool.limits().idleMillisMax();
  }

  /** Notes that a byte arrived, before the codec decodes it. */
  ChannelInboundHandlerAdapter byteWatch() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        anyByteReceived = true;
        context.fireChannelRead(message);
      }
    };
  }

  void start(HttpExchange httpExchange) {
    if (channel.eventLoop().inEventLoop()) {
      startOnLoop(httpExchange);
    } else {
      channel.eventLoop().execute(() -> startOnLoop(httpExchange));
    }
  }

  void setStreaming(boolean isStreaming) {
    streaming = isStreaming;
  }

  boolean isStreaming() {
    return streaming;
  }

  void markIdle() {
    idleSinceNanos = System.nanoTime();
  }

  boolean isFresh() {
    return channel.isActive() && idleMillisLeft() > 0;
  }

  void close() {
    ChannelFuture _ = channel.close();
  }

  /** Starts the idle check, and runs the action when the connection is closed. */
  void onClose(Runnable action) {
    markIdle();
    ScheduledFuture<?> watch =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(
                this::closeIdle, IDLE_CHECK_MILLIS, IDLE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    channel
        .closeFuture()
        .addListener(_ -> {
          watch.cancel(false);
          action.run();
        });
  }

  private void closeIdle() {
    if (current == null && idleMillisLeft() <= 0) {
      close();
    }
  }

  private long idleMillisLeft() {
    return idleMillisMax - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - idleSinceNanos);
  }

  private void startOnLoop(HttpExchange httpExchange) {
    if (!channel.isActive()) {
      connectionPool.send(httpExchange); // closed while idle, so not a byte was written
      return;
    }
    httpExchange
        .takeRequest()
        .ifPresentOrElse(
            request -> write(httpExchange, request), () -> connectionPool.release(this));
  }

  private void write(HttpExchange httpExchange, FullHttpRequest request) {
    current = new ResponseCollector(httpExchange, connectionPool.limits().answerBytesMax());
    anyByteReceived = false;
    complete = false;
    channel.writeAndFlush(request).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    CompletableFuture<ExchangeResult> _ =
        httpExchange.result().whenComplete((_, _) -> onEnd(httpExchange));
  }

  private void onEnd(HttpExchange httpExchange) {
    if (channel.eventLoop().inEventLoop()) {
      drop(httpExchange);
    } else {
      channel.eventLoop().execute(() -> drop(httpExchange));
    }
  }

  /** Closes the connection when the rest of a response could still arrive on it. */
  private void drop(HttpExchange httpExchange) {
    ResponseCollector responseCollector = current;
    if (responseCollector == null || responseCollector.exchange() != httpExchange || complete) {
      return;
    }
    if (isAnswered(httpExchange)) {
      ScheduledFuture<?> _ =
          channel
              .eventLoop()
              .schedule(
                  () -> closeIfCurrent(responseCollector), REST_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } else {
      close();
    }
  }

  private static boolean isAnswered(HttpExchange httpExchange) {
    return httpExchange.result().state() == Future.State.SUCCESS
        && httpExchange.result().resultNow() instanceof ExchangeResult.Answered;
  }

  private void closeIfCurrent(ResponseCollector unfinished) {
    if (current == unfinished) {
      close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    isFirst = false;
    try {
      if (current == null || complete) {
        close(); // no request is open
      } else {
        read(current, (HttpObject) message);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void read(ResponseCollector responseCollector, HttpObject part) {
    Throwable cause = part.decoderResult().cause();
    if (cause != null) {
      fail(responseCollector, cause);
      return;
    }
    if (part instanceof HttpResponse response) {
      readHead(responseCollector, response);
    }
    if (part instanceof HttpContent content && !informational) {
      pauseUntil(responseCollector, responseCollector.take(content.content()));
    }
    if (part instanceof LastHttpContent && !informational) {
      complete = true;
    }
  }

  /** Pauses reading until the listener has room. */
  private void pauseUntil(ResponseCollector responseCollector, CompletableFuture<?> room) {
    if (!room.isDone() && channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      responseCollector.exchange().setPaused(true);
      CompletableFuture<?> _ =
          room.whenComplete((_, _) -> {
            responseCollector.exchange().setPaused(false);
            channel.eventLoop().execute(() -> resume(responseCollector));
          });
    }
  }

  private void resume(ResponseCollector responseCollector) {
    if (current == responseCollector) {
      channel.config().setAutoRead(true);
    }
  }

  private void readHead(ResponseCollector responseCollector, HttpResponse response) {
    int status = response.status().code();
    informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (status == SWITCHING_PROTOCOLS) {
      responseCollector.fail(Defect.NO_HTTP);
    } else if (!informational) {
      reusable = HttpUtil.isKeepAlive(response) && isDelimited(response);
      idleMillisMax = Math.min(connectionPool.limits().idleMillisMax(), keepAliveMillis(response));
      responseCollector.start(response);
      if (responseCollector.isStream()) {
        ScheduledFuture<?> _ =
            channel
                .eventLoop()
                .schedule(
                    () -> claimStream(responseCollector),
                    SHORT_STREAM_MILLIS,
                    TimeUnit.MILLISECONDS);
      }
    }
  }

  /** Counts a stream that lasts longer separately, so that it takes no ordinary connection. */
  private void claimStream(ResponseCollector stream) {
    if (current == stream
        && !complete
        && !stream.exchange().isOver()
        && !connectionPool.claimStream(this)) {
      stream.exchange().end(new ExchangeResult.Overloaded());
    }
  }

  private static boolean isDelimited(HttpResponse response) {
    int status = response.status().code();
    return HttpUtil.isContentLengthSet(response)
        || HttpUtil.isTransferEncodingChunked(response)
        || status == NO_CONTENT
        || status == NOT_MODIFIED;
  }

  /**
   * How long the server promises to keep the connection, minus a second for a request to arrive.
   */
  private static long keepAliveMillis(HttpResponse response) {
    Matcher timeout = KEEP_ALIVE_SECONDS.matcher(response.headers().get("Keep-Alive", ""));
    return timeout.find() ? Long.parseLong(timeout.group(1)) * 1_000 - 1_000 : Long.MAX_VALUE;
  }

  private void fail(ResponseCollector responseCollector, Throwable cause) {
    switch (cause) {
      case PrematureChannelClosureException _ -> responseCollector.failClosed(true);
      case TooLongHttpHeaderException _, TooLongHttpLineException _ ->
          responseCollector.fail(Defect.HEADERS_TOO_LARGE);
      default -> responseCollector.fail(Defect.NO_HTTP);
    }
  }

  /** Releases the connection before it reports the response, which may trigger the next request. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    ResponseCollector responseCollector = current;
    if (responseCollector != null && complete) {
      current = null;
      if (!reusable) {
        close();
      } else if (responseCollector.room().isDone()) {
        release();
      } else {
        releaseAfter(responseCollector.room());
      }
      responseCollector.complete();
    }
  }

  private void release() {
    channel.config().setAutoRead(true);
    connectionPool.release(this);
  }

  /** Releases the connection when the listener has taken the response; some never do. */
  private void releaseAfter(CompletableFuture<?> room) {
    ScheduledFuture<?> limit =
        channel.eventLoop().schedule(this::close, TAKING_MILLIS_MAX, TimeUnit.MILLISECONDS);
    CompletableFuture<?> _ =
        room.whenComplete((_, _) ->
            channel
                .eventLoop()
                .execute(() -> {
                  if (limit.cancel(false) && channel.isActive()) {
                    release();
                  }
                }));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ResponseCollector responseCollector = current;
    current = null;
    if (responseCollector != null && complete) {
      responseCollector.complete();
    } else if (responseCollector != null) {
      responseCollector.failClosed(anyByteReceived);
    }
  }

  /**
   * The alert with which a server refuses the certificate of its client. With TLS 1.3 it comes when
   * the client has begun to send, but before the server reads anything.
   */
  private static @Nullable SSLException refusal(Throwable failure) {
    Throwable cause = failure instanceof DecoderException ? failure.getCause() : failure;
    return cause instanceof SSLException alert
            && CERTIFICATE_REFUSED.matcher(String.valueOf(alert.getMessage())).find()
        ? alert
        : null;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    if (current != null && !complete) {
      SSLException refusal = isFirst ? refusal(failure) : null;
      if (refusal != null) {
        connectionPool.refuse(current.exchange(), refusal);
      } else if (failure instanceof IOException) {
        current.failClosed(anyByteReceived);
      } else {
        current.fail(Defect.NO_HTTP);
      }
    }
    close();
  }
}
