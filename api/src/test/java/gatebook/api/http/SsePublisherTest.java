package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.http.SsePublisher.StreamKind;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SsePublisherTest {

  private static final byte[] LARGE = "x".repeat(40 << 10).getBytes(UTF_8);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicBoolean disconnected = new AtomicBoolean();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void eventsArriveInOrderAndThenTheStreamEnds() {
    SsePublisher ssePublisher = publisher(60_000);
    var _ = ssePublisher.send(bytes("a"));
    TestReader reader = new TestReader(ssePublisher, 2);
    var _ = ssePublisher.send(bytes("b"));
    var _ = ssePublisher.send(bytes("c"));
    ssePublisher.end();

    assertThat(reader.text()).isEqualTo("ab");
    assertThat(reader.isEnded()).isFalse();
    reader.request(1);
    assertThat(reader.text()).isEqualTo("abc");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void sendCompletesWhenThereIsRoom() {
    SsePublisher ssePublisher = publisher(60_000);
    TestReader reader = new TestReader(ssePublisher, 0);

    CompletableFuture<Boolean> first = ssePublisher.send(LARGE);
    CompletableFuture<Boolean> second = ssePublisher.send(LARGE);

    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isNotDone();
    reader.request(1);
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void sendToAClosedReaderReturnsFalse() {
    SsePublisher ssePublisher = publisher(60_000);
    var _ = ssePublisher.send(LARGE);
    CompletableFuture<Boolean> waiting = ssePublisher.send(LARGE);

    ssePublisher.cancel();

    assertThat(waiting).isCompletedWithValue(false);
    assertThat(ssePublisher.send(bytes("a"))).isCompletedWithValue(false);
  }

  @Test
  void stalledReaderIsDisconnected() {
    SsePublisher ssePublisher = publisher(50);
    TestReader reader = new TestReader(ssePublisher, 0);
    var _ = ssePublisher.send(bytes("a"));

    await().untilTrue(disconnected);

    reader.request(1);
    assertThat(reader.text()).isEmpty();
  }

  @Test
  void idleReaderIsNotDisconnected() throws InterruptedException {
    SsePublisher ssePublisher = publisher(50);
    TestReader reader = new TestReader(ssePublisher, 1);
    var _ = ssePublisher.send(bytes("a"));
    CountDownLatch later = new CountDownLatch(1);
    var _ = timer.schedule(later::countDown, 200, TimeUnit.MILLISECONDS);
    later.await();

    reader.request(1);
    var _ = ssePublisher.send(bytes("b"));

    assertThat(disconnected).isFalse();
    assertThat(reader.text()).isEqualTo("ab");
  }

  @Test
  void idleStreamGetsTheCommentOfItsKind() {
    SsePublisher ssePublisher = publisher(" kept", Duration.ofMillis(20), Long.MAX_VALUE);
    TestReader reader = new TestReader(ssePublisher, 1);

    await().until(() -> !reader.text().isEmpty());
    assertThat(reader.text()).isEqualTo(": kept\n\n");
    assertThat(disconnected).isFalse();
  }

  @Test
  void readerForWhomTooMuchWaitsIsDisconnected() {
    SsePublisher ssePublisher = publisher("", Duration.ofHours(1), 3);
    TestReader reader = new TestReader(ssePublisher, 0);
    var _ = ssePublisher.send(bytes("ab"));
    var _ = ssePublisher.send(bytes("c"));
    assertThat(disconnected).isFalse();

    assertThat(ssePublisher.send(bytes("d"))).isCompletedWithValue(false);
    assertThat(disconnected).isTrue();
    reader.request(3);
    assertThat(reader.text()).isEmpty();
  }

  @Test
  void oneEventMayBeLargerThanTheQueue() {
    SsePublisher ssePublisher = publisher("", Duration.ofHours(1), 3);
    var _ = ssePublisher.send(bytes("abcd"));

    assertThat(new TestReader(ssePublisher, 1).text()).isEqualTo("abcd");
    assertThat(disconnected).isFalse();
  }

  private SsePublisher publisher(String comment, Duration keepAlive, long queueBytesMax) {
    return new SsePublisher(
        new StreamKind("text/event-stream", comment, keepAlive, queueBytesMax),
        timer,
        60_000,
        () -> disconnected.set(true));
  }

  private SsePublisher publisher(long stalledMillisMax) {
    return new SsePublisher(
        StreamKind.limitedBySenders(Duration.ofHours(1)),
        timer,
        stalledMillisMax,
        () -> disconnected.set(true));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
