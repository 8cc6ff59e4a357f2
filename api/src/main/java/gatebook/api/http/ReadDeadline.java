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
  private @Nullable ScheduledFuture<?> deadline;
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
        if (deadline == null) {
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
      stop();
      start(context);
    }
    if (message instanceof LastHttpContent) {
      unfinished = null;
      stop();
    }
    var _ = context.fireChannelRead(message);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    stop();
    var _ = context.fireChannelInactive();
  }

  private void start(ChannelHandlerContext context) {
    long millis = millisMax.getAsLong();
    deadline =
        context
            .executor()
            .schedule(
                () -> end(context.channel().pipeline().context(this), millis),
                millis,
                TimeUnit.MILLISECONDS);
  }

  private void stop() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void end(ChannelHandlerContext context, long millis) {
    deadline = null;
    if (!isReading) {
      start(context);
      return;
    }
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
