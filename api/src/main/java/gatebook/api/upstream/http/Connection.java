package gatebook.api.upstream.http;

import gatebook.api.upstream.http.Ending.Defect;
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
final class Connection extends ChannelInboundHandlerAdapter {

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
  private final Line line;
  private @Nullable Reception current;
  private boolean anyByteCame;
  private boolean informational;
  private boolean reusable;
  private boolean whole;

  /** Guarded by the line's lock: it counts among its streams. */
  private boolean streaming;

  private volatile long idleSinceNanos;
  private volatile long idleMillisMax;

  Connection(Channel channel, Line line) {
    this.channel = channel;
    this.line = line;
    this.idleMillisMax = line.bounds().idleMillisMax();
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

  void carry(Exchange exchange) {
    if (channel.eventLoop().inEventLoop()) {
      begin(exchange);
    } else {
      channel.eventLoop().execute(() -> begin(exchange));
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

  private void begin(Exchange exchange) {
    if (!channel.isActive()) {
      line.send(exchange); // closed while idle: not a byte was written
      return;
    }
    exchange.taken().ifPresentOrElse(request -> write(exchange, request), () -> line.free(this));
  }

  private void write(Exchange exchange, FullHttpRequest request) {
    current = new Reception(exchange, line.bounds().answerBytesMax());
    anyByteCame = false;
    whole = false;
    channel.writeAndFlush(request).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    CompletableFuture<Ending> _ = exchange.ending().whenComplete((_, _) -> over(exchange));
  }

  private void over(Exchange exchange) {
    if (channel.eventLoop().inEventLoop()) {
      drop(exchange);
    } else {
      channel.eventLoop().execute(() -> drop(exchange));
    }
  }

  /** A connection on which more of an answer may come is of no use for another. */
  private void drop(Exchange exchange) {
    Reception reception = current;
    if (reception == null || reception.exchange() != exchange || whole) {
      return;
    }
    if (isAnswered(exchange)) {
      ScheduledFuture<?> _ =
          channel
              .eventLoop()
              .schedule(() -> closeWhen(reception), REST_MILLIS_MAX, TimeUnit.MILLISECONDS);
    } else {
      close();
    }
  }

  private static boolean isAnswered(Exchange exchange) {
    return exchange.ending().state() == Future.State.SUCCESS
        && exchange.ending().resultNow() instanceof Ending.Answered;
  }

  private void closeWhen(Reception unfinished) {
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

  private void read(Reception reception, HttpObject part) {
    Throwable wrong = part.decoderResult().cause();
    if (wrong != null) {
      fail(reception, wrong);
      return;
    }
    if (part instanceof HttpResponse response) {
      readHead(reception, response);
    }
    if (part instanceof HttpContent content && !informational) {
      readOnWhen(reception, reception.take(content.content()));
    }
    if (part instanceof LastHttpContent && !informational) {
      whole = true;
    }
  }

  /** Nothing more is read while somebody has to take what came. */
  private void readOnWhen(Reception reception, CompletableFuture<?> room) {
    if (!room.isDone() && channel.config().isAutoRead()) {
      channel.config().setAutoRead(false);
      reception.exchange().paused(true);
      CompletableFuture<?> _ =
          room.whenComplete((_, _) -> {
            reception.exchange().paused(false);
            channel.config().setAutoRead(true);
          });
    }
  }

  private void readHead(Reception reception, HttpResponse response) {
    int status = response.status().code();
    informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (status == SWITCHING_PROTOCOLS) {
      reception.fail(Defect.NO_HTTP);
    } else if (!informational) {
      reusable = HttpUtil.isKeepAlive(response) && hasAnEnd(response);
      idleMillisMax = Math.min(line.bounds().idleMillisMax(), promisedMillis(response));
      reception.begin(response);
      if (reception.isStream()) {
        ScheduledFuture<?> _ =
            channel
                .eventLoop()
                .schedule(() -> lasts(reception), SHORT_STREAM_MILLIS, TimeUnit.MILLISECONDS);
      }
    }
  }

  /** A stream that goes on takes no place of those that are answered at once. */
  private void lasts(Reception stream) {
    if (current == stream && !whole && !stream.exchange().isOver() && !line.streams(this)) {
      stream.exchange().end(new Ending.Overloaded());
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

  private void fail(Reception reception, Throwable wrong) {
    switch (wrong) {
      case PrematureChannelClosureException _ -> reception.cut(true);
      case TooLongHttpHeaderException _, TooLongHttpLineException _ ->
          reception.fail(Defect.HEADERS_TOO_LARGE);
      default -> reception.fail(Defect.NO_HTTP);
    }
  }

  /** The connection is free before anybody hears of the answer, and may need it. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    Reception reception = current;
    if (reception != null && whole) {
      current = null;
      if (reusable) {
        line.free(this);
      } else {
        close();
      }
      reception.complete();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    Reception reception = current;
    current = null;
    if (reception != null && whole) {
      reception.complete();
    } else if (reception != null) {
      reception.cut(anyByteCame);
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
