package gatebook.api.http;

import gatebook.api.gateway.message.CallerConnection;
import gatebook.events.CallAbandoned.Cause;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.function.Consumer;

/** A caller's HTTP connection: the caller is gone when it is closed. */
public final class HttpCallerConnection implements CallerConnection {

  private final Channel channel;

  private HttpCallerConnection(Channel channel) {
    this.channel = channel;
  }

  public static CallerConnection of(HttpRequest<?> request) {
    return request instanceof NettyHttpRequest<?> netty
        ? new HttpCallerConnection(netty.getChannelHandlerContext().channel())
        : CallerConnection.UNOBSERVED;
  }

  @Override
  public Watch onDisconnect(Consumer<Cause> action) {
    ChannelFutureListener listener = _ -> action.accept(Cause.DISCONNECTED);
    channel.closeFuture().addListener(listener);
    return () -> channel.closeFuture().removeListener(listener);
  }

  @Override
  public void close() {
    var _ = channel.close();
  }
}
