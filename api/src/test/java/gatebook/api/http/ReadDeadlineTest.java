package gatebook.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ReadDeadlineTest {

  private static final long MILLIS_MAX = 1_000;

  private final OpenRequests openRequests = new OpenRequests();
  private final ReadDeadline readDeadline = new ReadDeadline(() -> MILLIS_MAX, openRequests);
  private final EmbeddedChannel channel =
      new EmbeddedChannel(readDeadline.byteWatch(), readDeadline, openRequests);

  @Test
  void aLaterRequestHasItsWholeTime() {
    channel.freezeTime();
    receiveHead();
    var _ = channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    pass(MILLIS_MAX - 1);
    receiveHead();
    pass(MILLIS_MAX - 1);
    assertThatCode(channel::checkException).doesNotThrowAnyException();
    pass(1);
    assertThatThrownBy(channel::checkException).isInstanceOf(ReadDeadline.LateBodyException.class);
  }

  @Test
  void anIdleConnectionStaysOpen() {
    channel.freezeTime();
    receiveHead();
    var _ = channel.writeInbound(LastHttpContent.EMPTY_LAST_CONTENT);
    pass(10 * MILLIS_MAX);
    assertThat(channel.isOpen()).isTrue();
    assertThat(channel.runScheduledPendingTasks()).isEqualTo(-1);
  }

  private void receiveHead() {
    var _ =
        channel.writeInbound(new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/mcp"));
  }

  private void pass(long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
  }
}
