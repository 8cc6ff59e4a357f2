package gatebook.api.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Fails a body with a chunk that cannot be read. The server would take what came before as the
 * whole body. Nothing after it can be read, so the connection is closed after the response; at once
 * when the response was written without the body.
 */
final class BrokenChunks extends ChannelInboundHandlerAdapter {

  private final OpenRequests openRequests;
  private @Nullable HttpRequest request;

  /** A chunk that cannot be read. */
  @SuppressWarnings("serial") // never serialised
  static final class ChunkException extends Exception {
    ChunkException(@Nullable Throwable cause) {
      super("the chunk cannot be read", cause);
    }
  }

  BrokenChunks(OpenRequests openRequests) {
    this.openRequests = openRequests;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest next) {
      request = next;
    } else if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
      fail(context, content);
      return;
    }
    var _ = context.fireChannelRead(message);
  }

  private void fail(ChannelHandlerContext context, HttpContent content) {
    Throwable cause = content.decoderResult().cause();
    var _ = ReferenceCountUtil.release(content);
    openRequests.endBody();
    if (openRequests.isNewestAnswered()) {
      var _ = context.close();
      return;
    }
    if (request != null) {
      request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    var _ = context.fireExceptionCaught(new ChunkException(cause));
  }
}
