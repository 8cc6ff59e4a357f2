package gatebook.api.upstream.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import javax.net.ssl.SSLException;

/** Event loops and a TLS context for all tests, as the threads and the certificates cost time. */
public final class TestEventLoops {
  public static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(
          4, new DefaultThreadFactory("test-loop", true), NioIoHandler.newFactory());

  /** Trusts what the system trusts. */
  public static final SslContext TLS = trustingTheSystem();

  private TestEventLoops() {}

  private static SslContext trustingTheSystem() {
    try {
      return SslContextBuilder.forClient().build();
    } catch (SSLException e) {
      throw new IllegalStateException(e);
    }
  }
}
