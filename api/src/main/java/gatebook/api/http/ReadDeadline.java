package gatebook.api.http;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deadlines for reading a request: of its header section, from the first byte to the last, and
 * of the body after it. A connection that takes longer is closed; a body that is still wanted fails
 * before. Time in which this server does not read does not count, nor does the time between
 * requests.
 */
final class ReadDeadline extends ChannelInboundHandlerAdapter {

  private static final Logger LOG = LoggerFactory.getLogger(ReadDeadline.class);

  private final LongSupplier millisMax;
  private final OpenRequests openRequests;
  private @Nullable ScheduledFuture<?> timer;
  private long timerNanos;
  private long millis;
  private long deadlineNanos;
  private boolean isRunning;
  private @Nullable HttpRequest unfinished;
  private boolean isReading;

  /** A body that did not arrive in time. */
  @SuppressWarnings("serial") // never serialised
  static final class LateBodyException extends Exception {
    final transient long millisMax;

    LateBodyException(long millisMax) {
      super("the body did not arrive in time");
      this.millisMax = millisMax;
    }
  }

  ReadDeadline(LongSupplier millisMax, OpenRequests openRequests) {
    this.millisMax = millisMax;
    this.openRequests = openRequests;
  }

  /** Notes the bytes of the connection before they are decoded. */
  ChannelDuplexHandler byteWatch() {
    return new ChannelDuplexHandler() {
      @Override
      public void channelRead(ChannelHandlerContext context, Object message) {
        if (!isRunning) {
          start(context);
        }
        var _ = context.fireChannelRead(message);
      }

      @Override
      public void read(ChannelHandlerContext context) {
        isReading = true;
        var _ = context.read();
      }

      @Override
      public void channelReadComplete(ChannelHandlerContext context) {
        isReading = false;
        var _ = context.fireChannelReadComplete();
      }
    };
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest head) {
      unfinished = head;
      start(context);
    }
    if (message instanceof LastHttpContent) {
      unfinished = null;
      isRunning = false;
    }
    var _ = context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    isRunning = false;
    stopTimer();
    var _ = context.fireChannelInactive();
  }

  private void start(ChannelHandlerContext context) {
    millis = millisMax.getAsLong();
    deadlineNanos = now(context) + TimeUnit.MILLISECONDS.toNanos(millis);
    isRunning = true;
    if (timer != null && timerNanos - deadlineNanos > 0) {
      stopTimer();
    }
    if (timer == null) {
      startTimer(context);
    }
  }

  /** A timer runs on from one request to the next, and is set anew when it rings too early. */
  private void startTimer(ChannelHandlerContext context) {
    timerNanos = deadlineNanos;
    timer =
        context
            .executor()
            .schedule(
                () -> ring(context.channel().pipeline().context(this)),
                deadlineNanos - now(context),
                TimeUnit.NANOSECONDS);
  }

  private void stopTimer() {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
    }
  }

  private static long now(ChannelHandlerContext context) {
    return context.executor().ticker().nanoTime();
  }

  private void ring(ChannelHandlerContext context) {
    timer = null;
    if (isRunning && deadlineNanos - now(context) > 0) {
      startTimer(context);
    } else if (isRunning) {
      end(context);
    }
  }

  private void end(ChannelHandlerContext context) {
    if (!isReading) {
      start(context);
      return;
    }
    isRunning = false;
    HttpRequest late = unfinished;
    LOG.atInfo()
        .addKeyValue("timeout_millis", millis)
        .addKeyValue("part", late == null ? "header" : "body")
        .log("a request did not arrive in time: its connection is closed");
    openRequests.endBody();
    if (late == null || openRequests.isNewestAnswered()) {
      var _ = context.close();
    } else {
      late.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      var _ = context.fireExceptionCaught(new LateBodyException(millis));
    }
  }
}
