package gatebook.api.http;

import io.micronaut.http.body.stream.BodySizeLimits;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.HttpCompressionStrategy;
import io.micronaut.http.server.netty.NettyHttpServer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.micronaut.http.server.netty.configuration.NettyHttpServerConfiguration;
import io.micronaut.http.server.netty.handler.PipeliningServerHandler;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of the callers' port. At the end of their pipelines stands our request handler in
 * place of the server's, which routes to controllers; so they are also closed from here.
 */
final class CallersConnections implements NettyServerCustomizer, GracefulShutdownCapable {

  private final CallersRequestHandler requestHandler;
  private final HttpCompressionStrategy compression;
  private final BodySizeLimits bodySizeLimits;
  private final Set<PipeliningServerHandler> open = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Channel> listener = new CompletableFuture<>();
  private volatile boolean isClosing;

  CallersConnections(
      CallersRequestHandler requestHandler,
      HttpCompressionStrategy compression,
      NettyHttpServerConfiguration configuration) {
    this.requestHandler = requestHandler;
    this.compression = compression;
    this.bodySizeLimits =
        new BodySizeLimits(
            configuration.getMaxRequestSize(), configuration.getMaxRequestBufferSize());
  }

  @Override
  public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
    if (role == ChannelRole.LISTENER) {
      listener.complete(channel);
      return this;
    }
    return new NettyServerCustomizer() {
      @Override
      public NettyServerCustomizer specializeForChannel(Channel stream, ChannelRole streamRole) {
        return this;
      }

      @Override
      public void onStreamPipelineBuilt() {
        add(channel);
      }
    };
  }

  private void add(Channel channel) {
    PipeliningServerHandler handler = new PipeliningServerHandler(requestHandler);
    handler.setCompressionStrategy(compression);
    handler.setBodySizeLimits(bodySizeLimits);
    handler.setRequestDecompressionEnabled(false);
    var _ =
        channel
            .pipeline()
            .replace(
                ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND,
                ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND,
                handler);
    open.add(handler);
    var _ = channel.closeFuture().addListener(_ -> open.remove(handler));
    if (isClosing) { // it was accepted before, and added after the others were told
      CompletionStage<?> _ = handler.shutdownGracefully();
    }
  }

  /** Accepts no new connections, then closes each when its requests are answered. */
  @Override
  public CompletionStage<?> shutdownGracefully() {
    isClosing = true;
    return closeListener()
        .thenCompose(_ ->
            GracefulShutdownCapable.allOf(
                open.stream().map(PipeliningServerHandler::shutdownGracefully)));
  }

  private CompletionStage<?> closeListener() {
    return listener.thenCompose(channel -> NettyHttpServer.toCompletionStage(channel.close()));
  }
}
