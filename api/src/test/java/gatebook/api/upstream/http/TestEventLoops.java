package gatebook.api.upstream.http;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Event loops for all tests, as the threads cost time. */
public final class TestEventLoops {
  public static final EventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(
          4, new DefaultThreadFactory("test-loop", true), NioIoHandler.newFactory());

  private TestEventLoops() {}
}
