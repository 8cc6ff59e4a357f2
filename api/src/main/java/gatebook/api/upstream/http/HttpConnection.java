package gatebook.api.upstream.http;

import gatebook.api.upstream.http.ExchangeResult.Defect;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
import org.jspecify.annotations.Nullable;

/**
 * One connection, which carries one exchange at a time. Everything here runs on its event loop.
 *
 * <p>It is given back only when all that had arrived was read, so that a second answer to the same
 * request is never taken for the answer to the next.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {

  /** How long the rest of a stream may take after the event that was waited for. */
  private static final long REST_MILLIS_MAX = 1_000;

  /** An answer that is a stream, and takes no longer, is an answer like others. */
  private static final long SHORT_STREAM_MILLIS = 50;

  private static final long IDLE_CHECK_MILLIS = 1_000;

  private static final Pattern KEPT_SECONDS = Pattern.compile("(?i)\\btimeout=(\\d{1,9})");
  private static final int SWITCHING_PROTOCOLS = 101;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;

  private final Channel channel;
  private final ConnectionPool connectionPool;
  private @Nullable ResponseCollector current;
  private boolean anyByteCame;
  private boolean informational;
  private boolean reusable;
  private boolean whole;

  /** Guarded by the line's lock: it counts among its streams. */
  private boolean streaming;

  private volatile long idleSinceNanos;
  private volatile long idleMillisMax;

  HttpConnection(Channel channel, ConnectionPool connectionPool) {
    this.channel = channel;
    this.connectionPool = connectionPool;
    this.idleMillisMax = connectionPool.bounds().idleMillisMax();
  }

  /** Sees the bytes before anything is made of them. */
  ChannelInboundHandlerAdapter byteWatch() {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        anyByteCame = true;
        context.fireChannelRead(message);
      }
    };
  }

  void carry(HttpExchange httpExchange) {
    if (channel.eventLoop().inEventLoop()) {
      begin(httpExchange);
    } else {
      channel.eventLoop().execute(() -> begin(httpExchange));
    }
  }

  void streams(boolean isStreaming) {
    streaming = isStreaming;
  }

  boolean isStreaming() {
    return streaming;
  }

  void idle() {
    idleSinceNanos = System.nanoTime();
  }

  boolean isFresh() {
    return channel.isActive() && idleMillisLeft() > 0;
  }

  void close() {
    ChannelFuture _ = channel.close();
  }

  /** From now on it is in use or idle, until it is closed. */
  void whenClosed(Runnable gone) {
    idle();
    ScheduledFuture<?> watch =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(
                this::closeIdle, IDLE_CHECK_MILLIS, IDLE_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    channel
        .closeFuture()
        .addListener(_ -> {
          watch.cancel(false);
          gone.run();
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

  private void begin(HttpExchange httpExchange) {
    if (!channel.isActive()) {
      connectionPool.send(httpExchange); // closed while idle: not a byte was written
      return;
    }
    httpExchange
        .taken()
        .ifPresentOrElse(request -> write(httpExchange, request), () -> connectionPool.free(this));
  }

  private void write(HttpExchange httpExchange, FullHttpRequest request) {
    current = new ResponseCollector(httpExchange, connectionPool.bounds().answerBytesMax());
    anyByteCame = false;
    whole = false;
    channel.writeAndFlush(request).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    CompletableFuture<ExchangeResult> _ =
        httpExchange.ending().whenComplete((_, _) -> over(httpExchange));
  }

  private void over(HttpExchange httpExchange) {
    if (channel.eventLoop().inEventLoop()) {
      drop(httpExchange);
    } else {
      channel.eventLoop().execute(() -> drop(httpExchange));
    }
  }

  /** A connection on which more of an answer may come is of no use for another. */
  private void drop(HttpExchange httpExchange) {
    ResponseCollector responseCollector = current;
    if (responseCollector == null || responseCollector.exchange() != httpExchange || whole) {
      return;
    }
    if (isAnswered(httpExchange)) {
      ScheduledFuture<?> _ =
          channel
              .eventLoop()
              .schedule(() -> closeWhen(responseCollector), REST_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } else {
      close();
    }
  }

  private static boolean isAnswered(HttpExchange httpExchange) {
    return httpExchange.ending().state() == Future.State.SUCCESS
        && httpExchange.ending().resultNow() instanceof ExchangeResult.Answered;
  }

  private void closeWhen(ResponseCollector unfinished) {
    if (current == unfinished) {
      close();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    try {
      if (current == null || whole) {
        close(); // nobody asked
      } else {
        read(current, (HttpObject) message);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void read(ResponseCollector responseCollector, HttpObject part) {
    Throwable wrong = part.decoderResult().cause();
    if (wrong != null) {
      fail(responseCollector, wrong);
      return;
    }
    if (part instanceof HttpResponse response) {
      readHead(responseCollector, response);
    }
    if (part instanceof HttpContent content && !informational) {
      readOnWhen(responseCollector, responseCollector.take(content.content()));
    }
    if (part instanceof LastHttpContent && !informational) {
      whole = true;
    }
  }

  /** Nothing more is read while somebody has to take what came. */
  private void readOnWhen(ResponseCollector responseCollector, CompletableFuture<?> room) {
    if (!room.isDone() && channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      responseCollector.exchange().paused(true);
      CompletableFuture<?> _ =
          room.whenComplete((_, _) -> {
            responseCollector.exchange().paused(false);
            channel.config().setAutoRead(true);
          });
    }
  }

  private void readHead(ResponseCollector responseCollector, HttpResponse response) {
    int status = response.status().code();
    informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (status == SWITCHING_PROTOCOLS) {
      responseCollector.fail(Defect.NO_HTTP);
    } else if (!informational) {
      reusable = HttpUtil.isKeepAlive(response) && hasAnEnd(response);
      idleMillisMax = Math.min(connectionPool.bounds().idleMillisMax(), promisedMillis(response));
      responseCollector.begin(response);
      if (responseCollector.isStream()) {
        ScheduledFuture<?> _ =
            channel
                .eventLoop()
                .schedule(
                    () -> lasts(responseCollector), SHORT_STREAM_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** A stream that goes on takes no place of those that are answered at once. */
  private void lasts(ResponseCollector stream) {
    if (current == stream
        && !whole
        && !stream.exchange().isOver()
        && !connectionPool.streams(this)) {
      stream.exchange().end(new ExchangeResult.Overloaded());
    }
  }

  private static boolean hasAnEnd(HttpResponse response) {
    int status = response.status().code();
    return HttpUtil.isContentLengthSet(response)
        || HttpUtil.isTransferEncodingChunked(response)
        || status == NO_CONTENT
        || status == NOT_MODIFIED;
  }

  /** How long the other side says it keeps the connection, less what a request may take to it. */
  private static long promisedMillis(HttpResponse response) {
    Matcher timeout = KEPT_SECONDS.matcher(response.headers().get("Keep-Alive", ""));
    return timeout.find() ? Long.parseLong(timeout.group(1)) * 1_000 - 1_000 : Long.MAX_VALUE;
  }

  private void fail(ResponseCollector responseCollector, Throwable wrong) {
    switch (wrong) {
      case PrematureChannelClosureException _ -> responseCollector.cut(true);
      case TooLongHttpHeaderException _, TooLongHttpLineException _ ->
          responseCollector.fail(Defect.HEADERS_TOO_LARGE);
      default -> responseCollector.fail(Defect.NO_HTTP);
    }
  }

  /** The connection is free before anybody hears of the answer, and may need it. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    ResponseCollector responseCollector = current;
    if (responseCollector != null && whole) {
      current = null;
      if (reusable) {
        connectionPool.free(this);
      } else {
        close();
      }
      responseCollector.complete();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ResponseCollector responseCollector = current;
    current = null;
    if (responseCollector != null && whole) {
      responseCollector.complete();
    } else if (responseCollector != null) {
      responseCollector.cut(anyByteCame);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    if (current != null && !whole) {
      if (failure instanceof IOException) {
        current.cut(anyByteCame);
      } else {
        current.fail(Defect.NO_HTTP);
      }
    }
    close();
  }
}
