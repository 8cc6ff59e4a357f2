package gatebook.api.http;

import gatebook.api.border.Presence;
import gatebook.events.CallAbandoned.Cause;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.function.Consumer;

/** A caller at the other end of a connection: gone when it is closed. */
public final class HttpPresence implements Presence {

  private final Channel channel;

  private HttpPresence(Channel channel) {
    this.channel = channel;
  }

  public static Presence of(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? new HttpPresence(netty.getChannelHandlerContext().channel())
        : Presence.UNSEEN;
  }

  /** Closes the connection that a request came by. */
  public static void hangUp(HttpRequest<?> request) {
    if (request instanceof NettyHttpRequest<?> netty) {
      var _ = netty.getChannelHandlerContext().channel().close();
    }
  }

  @Override
  public Watch whenGone(Consumer<Cause> action) {
    ChannelFutureListener listener = _ -> action.accept(Cause.DISCONNECTED);
    channel.closeFuture().addListener(listener);
    return () -> channel.closeFuture().removeListener(listener);
  }
}
