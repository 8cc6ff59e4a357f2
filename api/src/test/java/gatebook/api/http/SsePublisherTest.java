package gatebook.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
  private final AtomicBoolean hungUp = new AtomicBoolean();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void whatIsSentIsTakenInItsOrderAndThenTheEnd() {
    SsePublisher ssePublisher = outbox(60_000);
    var _ = ssePublisher.send(bytes("a"));
    Taking reader = new Taking(ssePublisher, 2);
    var _ = ssePublisher.send(bytes("b"));
    var _ = ssePublisher.send(bytes("c"));
    ssePublisher.end();

    assertThat(reader.text()).isEqualTo("ab");
    assertThat(reader.isEnded()).isFalse();
    reader.take(1);
    assertThat(reader.text()).isEqualTo("abc");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void whoSendsMoreThanIsTakenHearsWhenThereIsRoom() {
    SsePublisher ssePublisher = outbox(60_000);
    Taking reader = new Taking(ssePublisher, 0);

    CompletableFuture<Boolean> first = ssePublisher.send(LARGE);
    CompletableFuture<Boolean> second = ssePublisher.send(LARGE);

    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isNotDone();
    reader.take(1);
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void whoSendsToSomebodyWhoIsGoneHearsThat() {
    SsePublisher ssePublisher = outbox(60_000);
    var _ = ssePublisher.send(LARGE);
    CompletableFuture<Boolean> waiting = ssePublisher.send(LARGE);

    ssePublisher.cancel();

    assertThat(waiting).isCompletedWithValue(false);
    assertThat(ssePublisher.send(bytes("a"))).isCompletedWithValue(false);
  }

  @Test
  void aReaderWhoTakesNothingForTooLongIsSentAway() {
    SsePublisher ssePublisher = outbox(50);
    Taking reader = new Taking(ssePublisher, 0);
    var _ = ssePublisher.send(bytes("a"));

    await().untilTrue(hungUp);

    reader.take(1);
    assertThat(reader.text()).isEmpty();
  }

  @Test
  void aReaderForWhomThereIsNothingIsNotSentAway() throws InterruptedException {
    SsePublisher ssePublisher = outbox(50);
    Taking reader = new Taking(ssePublisher, 1);
    var _ = ssePublisher.send(bytes("a"));
    CountDownLatch later = new CountDownLatch(1);
    var _ = timer.schedule(later::countDown, 200, TimeUnit.MILLISECONDS);
    later.await();

    reader.take(1);
    var _ = ssePublisher.send(bytes("b"));

    assertThat(hungUp).isFalse();
    assertThat(reader.text()).isEqualTo("ab");
  }

  private SsePublisher outbox(long stalledMillisMax) {
    return new SsePublisher(timer, stalledMillisMax, () -> hungUp.set(true));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
