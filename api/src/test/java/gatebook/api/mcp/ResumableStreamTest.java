package gatebook.api.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.SsePublisher;
import gatebook.api.http.TestReader;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ResumableStreamTest {

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ResumableStream resumableStream = new ResumableStream("c1");

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void eachEventHasItsPosition() {
    TestReader reader = attach(-1);

    var _ = resumableStream.send(ResumableStream.POSITION);
    send("{\n\"a\":1}");

    assertThat(reader.text())
        .isEqualTo("id: c1-0\ndata: \n\nid: c1-1\ndata: {\ndata: \"a\":1}\n\n");
  }

  @Test
  void aReturningReaderGetsMissedAndThenNewEvents() {
    TestReader first = attach(-1);
    send("1");
    resumableStream.detachReader(first.publisher());
    send("2");
    send("3");

    TestReader again = attach(resumableStream.positionOf("c1-0"));
    send("4");

    assertThat(again.text())
        .isEqualTo("id: c1-1\ndata: 2\n\nid: c1-2\ndata: 3\n\nid: c1-3\ndata: 4\n\n");
  }

  @Test
  void onlyTheLastEventsAreKept() {
    for (int i = 0; i <= 256; i++) {
      send(Integer.toString(i));
    }

    assertThat(attach(-1).text()).startsWith("id: c1-1\ndata: 1\n").endsWith("data: 256\n\n");
  }

  @Test
  void fewerLargeEventsAreKeptButAlwaysTheLast() {
    String large = "x".repeat(200 << 10);
    send(large);
    send(large);

    assertThat(attach(-1).text()).isEqualTo("id: c1-1\ndata: %s\n\n".formatted(large));
  }

  @Test
  void aPausedReaderGetsTheEndWhenItReturns() {
    TestReader first = attach(-1);
    var _ = resumableStream.send(ResumableStream.POSITION);
    resumableStream.pause(70);
    send("answer");
    resumableStream.end();

    assertThat(first.text()).isEqualTo("id: c1-0\ndata: \n\nretry: 70\n\n");
    assertThat(first.isEnded()).isTrue();
    TestReader again = attach(0);
    assertThat(again.text()).isEqualTo("id: c1-1\ndata: answer\n\n");
    assertThat(again.isEnded()).isTrue();
  }

  @Test
  void aReaderThatMissedNothingIsRefusedAfterTheEnd() {
    send("answer");
    resumableStream.end();
    SsePublisher ssePublisher = new SsePublisher(McpExchange.KIND, timer, 60_000, () -> {});

    assertThat(resumableStream.attachReader(ssePublisher, 0)).isFalse();
    assertThat(resumableStream.attachReader(ssePublisher, -1)).isTrue();
  }

  @Test
  void idsOfOtherStreamsHaveNoPosition() {
    assertThat(resumableStream.positionOf("c1-7")).isEqualTo(7);
    assertThat(resumableStream.positionOf("c11-7")).isEqualTo(-1);
    assertThat(resumableStream.positionOf("c1-")).isEqualTo(-1);
    assertThat(resumableStream.positionOf("c1--7")).isEqualTo(-1);
    assertThat(resumableStream.positionOf("c1-" + "9".repeat(30))).isEqualTo(-1);
  }

  private void send(String data) {
    var _ = resumableStream.send(SsePublisher.event(data.getBytes(UTF_8)));
  }

  private TestReader attach(long after) {
    SsePublisher ssePublisher = new SsePublisher(McpExchange.KIND, timer, 60_000, () -> {});
    TestReader reader = new TestReader(ssePublisher, Long.MAX_VALUE);
    assertThat(resumableStream.attachReader(ssePublisher, after)).isTrue();
    return reader;
  }
}
