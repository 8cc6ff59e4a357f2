package gatebook.api.http;

import gatebook.api.memory.InFlightMemory;
import gatebook.api.memory.MemoryReservation;
import io.micronaut.http.server.netty.NettyHttpRequest;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection whose responses are not written yet, in their order. Each holds
 * its memory until then, or until the connection is closed. A connection whose last body is still
 * arriving is closed after that body, since closing earlier could destroy the response on its way.
 */
final class OpenRequests extends ChannelDuplexHandler {

  private final Deque<OpenRequest> open = new ArrayDeque<>();
  private boolean isBodyArriving;
  private boolean isClosing;

  private static final class OpenRequest {
    final HttpRequest head;
    final MemoryReservation memory = InFlightMemory.OF_PROCESS.open();
    boolean isAnswering;

    OpenRequest(HttpRequest head) {
      this.head = head;
    }
  }

  /** The memory of a request; work that goes on after the response must hold it. */
  static MemoryReservation memoryOf(io.micronaut.http.HttpRequest<?> request) {
    if (request instanceof NettyHttpRequest<?> netty) {
      OpenRequests requests =
          netty.getChannelHandlerContext().channel().pipeline().get(OpenRequests.class);
      if (requests != null) {
        return requests.memoryOf(netty.getNativeRequest());
      }
    }
    return InFlightMemory.OF_PROCESS.openUnheld();
  }

  @SuppressWarnings("ReferenceEquality") // equal requests may follow each other
  private synchronized MemoryReservation memoryOf(HttpRequest head) {
    for (OpenRequest request : open) {
      if (request.head == head) {
        return request.memory;
      }
    }
    return InFlightMemory.OF_PROCESS.openUnheld();
  }

  /** Whether the response to the newest request was begun, so that its body is not needed. */
  synchronized boolean isNewestAnswered() {
    return open.isEmpty() || open.getLast().isAnswering;
  }

  /** Nothing more of the newest body will arrive. */
  void endBody() {
    isBodyArriving = false;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    isBodyArriving = !(message instanceof LastHttpContent);
    if (isClosing) {
      var _ = ReferenceCountUtil.release(message);
      if (!isBodyArriving) {
        var _ = context.close();
      }
      return;
    }
    if (message instanceof HttpRequest head) {
      add(head);
    }
    var _ = context.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    var _ = isClosing ? context.read() : context.fireChannelReadComplete();
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (isClosing || !isBodyArriving || !(context.channel() instanceof DuplexChannel channel)) {
      var _ = context.close(promise);
      return;
    }
    isClosing = true;
    var _ = channel.shutdownOutput();
    var _ = channel.closeFuture().addListener(_ -> promise.trySuccess());
    var _ = context.read();
  }

  private synchronized void add(HttpRequest head) {
    open.add(new OpenRequest(head));
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    OpenRequest answered = note(message);
    if (answered == null) {
      var _ = context.write(message, promise);
    } else {
      var _ = context.write(message, promise.unvoid()).addListener(_ -> answered.memory.release());
    }
  }

  /** The request whose response ends with this message; absent for any other message. */
  private synchronized @Nullable OpenRequest note(Object message) {
    if (open.isEmpty() || isInformational(message)) {
      return null;
    }
    open.getFirst().isAnswering = true;
    return message instanceof LastHttpContent ? open.removeFirst() : null;
  }

  private static boolean isInformational(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    releaseAll();
    var _ = context.fireChannelInactive();
  }

  private synchronized void releaseAll() {
    open.forEach(it -> it.memory.release());
    open.clear();
  }
}
