package gatebook.api.http;

import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
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
 * whole body. Nothing after it can be read, so the connection is closed after the response.
 */
final class BrokenChunks {

  /** A chunk that cannot be read. */
  @SuppressWarnings("serial") // never serialised
  static final class ChunkException extends Exception {
    ChunkException(@Nullable Throwable cause) {
      super("the chunk cannot be read", cause);
    }
  }

  private BrokenChunks() {}

  /** Adds the check to the connections of a server. */
  static void failOn(NettyEmbeddedServer server) {
    server.register(new Customizer(null));
  }

  private record Customizer(@Nullable Channel channel) implements NettyServerCustomizer {

    @Override
    public NettyServerCustomizer specializeForChannel(Channel newChannel, ChannelRole role) {
      return new Customizer(newChannel);
    }

    @Override
    public void onStreamPipelineBuilt() {
      if (channel != null) {
        channel
            .pipeline()
            .addBefore(
                ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND,
                BrokenChunks.class.getSimpleName(),
                new Handler());
      }
    }
  }

  private static final class Handler extends ChannelInboundHandlerAdapter {
    private @Nullable HttpRequest request;

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
      if (request != null) {
        request.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      }
      var _ = ReferenceCountUtil.release(content);
      var _ = context.fireExceptionCaught(new ChunkException(content.decoderResult().cause()));
    }
  }
}
