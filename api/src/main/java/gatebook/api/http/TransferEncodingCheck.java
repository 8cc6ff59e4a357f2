package gatebook.api.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.ReferenceCountUtil;
import java.util.List;

/**
 * Refuses requests with another {@code Transfer-Encoding} than {@code chunked} alone: where their
 * bodies end is uncertain, so that the rest of one could be taken for the next request. Nothing
 * after such a request is read.
 */
final class TransferEncodingCheck extends ChannelInboundHandlerAdapter {

  private boolean isRefused;

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (isRefused) {
      var _ = ReferenceCountUtil.release(message);
    } else if (message instanceof HttpRequest request && !isReadable(request)) {
      isRefused = true;
      var _ = ReferenceCountUtil.release(message);
      var _ = context.fireChannelRead(unreadable(request));
    } else {
      var _ = context.fireChannelRead(message);
    }
  }

  private static boolean isReadable(HttpRequest request) {
    List<String> encodings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return encodings.isEmpty()
        || (encodings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encodings.getFirst().strip()));
  }

  private static HttpRequest unreadable(HttpRequest request) {
    HttpRequest unreadable =
        new DefaultFullHttpRequest(
            request.protocolVersion(),
            request.method(),
            request.uri(),
            Unpooled.EMPTY_BUFFER,
            request
                .headers()
                .copy()
                .remove(HttpHeaderNames.TRANSFER_ENCODING)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE),
            EmptyHttpHeaders.INSTANCE);
    unreadable.setDecoderResult(
        DecoderResult.failure(new IllegalArgumentException("the transfer encoding is unknown")));
    return unreadable;
  }
}
