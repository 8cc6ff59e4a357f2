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

final class OutboxTest {

  private static final byte[] LARGE = "x".repeat(40 << 10).getBytes(UTF_8);

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final AtomicBoolean hungUp = new AtomicBoolean();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void whatIsSentIsTakenInItsOrderAndThenTheEnd() {
    Outbox outbox = outbox(60_000);
    var _ = outbox.send(bytes("a"));
    Taking reader = new Taking(outbox, 2);
    var _ = outbox.send(bytes("b"));
    var _ = outbox.send(bytes("c"));
    outbox.end();

    assertThat(reader.text()).isEqualTo("ab");
    assertThat(reader.isEnded()).isFalse();
    reader.take(1);
    assertThat(reader.text()).isEqualTo("abc");
    assertThat(reader.isEnded()).isTrue();
  }

  @Test
  void whoSendsMoreThanIsTakenHearsWhenThereIsRoom() {
    Outbox outbox = outbox(60_000);
    Taking reader = new Taking(outbox, 0);

    CompletableFuture<Boolean> first = outbox.send(LARGE);
    CompletableFuture<Boolean> second = outbox.send(LARGE);

    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isNotDone();
    reader.take(1);
    assertThat(second).isCompletedWithValue(true);
  }

  @Test
  void whoSendsToSomebodyWhoIsGoneHearsThat() {
    Outbox outbox = outbox(60_000);
    var _ = outbox.send(LARGE);
    CompletableFuture<Boolean> waiting = outbox.send(LARGE);

    outbox.cancel();

    assertThat(waiting).isCompletedWithValue(false);
    assertThat(outbox.send(bytes("a"))).isCompletedWithValue(false);
  }

  @Test
  void aReaderWhoTakesNothingForTooLongIsSentAway() {
    Outbox outbox = outbox(50);
    Taking reader = new Taking(outbox, 0);
    var _ = outbox.send(bytes("a"));

    await().untilTrue(hungUp);

    reader.take(1);
    assertThat(reader.text()).isEmpty();
  }

  @Test
  void aReaderForWhomThereIsNothingIsNotSentAway() throws InterruptedException {
    Outbox outbox = outbox(50);
    Taking reader = new Taking(outbox, 1);
    var _ = outbox.send(bytes("a"));
    CountDownLatch later = new CountDownLatch(1);
    var _ = timer.schedule(later::countDown, 200, TimeUnit.MILLISECONDS);
    later.await();

    reader.take(1);
    var _ = outbox.send(bytes("b"));

    assertThat(hungUp).isFalse();
    assertThat(reader.text()).isEqualTo("ab");
  }

  private Outbox outbox(long stalledMillisMax) {
    return new Outbox(timer, stalledMillisMax, () -> hungUp.set(true));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
