package gatebook.api.http;

import io.micrometer.core.instrument.Counter;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyEmbeddedServer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Adds our handlers to every connection of a server. */
final class ConnectionHandlers {

  private ConnectionHandlers() {}

  /**
   * Adds them.
   *
   * @param readMillisMax how long a handshake, a header section or a body may take
   * @param failedHandshakes counts those of TLS that failed, or did not end in time
   */
  static void addTo(
      NettyEmbeddedServer server, LongSupplier readMillisMax, Counter failedHandshakes) {
    server.register(new Customizer(null, readMillisMax, failedHandshakes));
  }

  private record Customizer(
      @Nullable Channel channel, LongSupplier readMillisMax, Counter failedHandshakes)
      implements NettyServerCustomizer {

    @Override
    public NettyServerCustomizer specializeForChannel(Channel newChannel, ChannelRole role) {
      return new Customizer(newChannel, readMillisMax, failedHandshakes);
    }

    /** The connection was opened now: a handshake takes its time from here. */
    @Override
    public void onInitialPipelineBuilt() {
      if (channel != null) {
        limitHandshake(channel);
      }
    }

    private void limitHandshake(Channel opened) {
      SslHandler tls = opened.pipeline().get(SslHandler.class);
      if (tls != null) {
        ScheduledFuture<?> deadline =
            opened
                .eventLoop()
                .schedule(
                    () -> {
                      var _ = opened.close();
                    },
                    readMillisMax.getAsLong(),
                    TimeUnit.MILLISECONDS);
        var _ =
            tls.handshakeFuture()
                .addListener(handshake -> {
                  deadline.cancel(false);
                  if (!handshake.isSuccess()) {
                    failedHandshakes.increment();
                  }
                });
      }
    }

    @Override
    public void onStreamPipelineBuilt() {
      if (channel != null) {
        addTo(channel.pipeline(), new OpenRequests());
      }
    }

    private void addTo(ChannelPipeline pipeline, OpenRequests openRequests) {
      ReadDeadline readDeadline = new ReadDeadline(readMillisMax, openRequests);
      ChannelHandlerContext tls = pipeline.context(SslHandler.class);
      var _ =
          tls == null
              ? pipeline.addFirst(readDeadline.byteWatch())
              : pipeline.addAfter(tls.name(), null, readDeadline.byteWatch());
      for (ChannelHandler handler :
          List.of(
              new TransferEncodingCheck(),
              readDeadline,
              new BrokenChunks(openRequests),
              openRequests)) {
        pipeline.addBefore(
            ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND,
            handler.getClass().getSimpleName(),
            handler);
      }
    }
  }
}
