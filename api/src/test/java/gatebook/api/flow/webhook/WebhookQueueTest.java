package gatebook.api.flow.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.flow.task.ExecutionFact;
import gatebook.api.flow.webhook.WebhookQueue.ToldFact;
import gatebook.events.tree.TreeStatus;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class WebhookQueueTest {
  private static final Instant NOON = Instant.parse("2026-10-01T12:00:00Z");
  private static final ExecutionFact END =
      new ExecutionFact.ExecutionEnded(TreeStatus.COMPLETED, List.of(), NOON);

  private final List<String> delivered = new CopyOnWriteArrayList<>();
  private final BlockingQueue<CompletableFuture<Boolean>> open = new LinkedBlockingQueue<>();
  private final WebhookQueue queue =
      new WebhookQueue(told -> {
        CompletableFuture<Boolean> outcome = new CompletableFuture<>();
        delivered.add(name(told));
        open.add(outcome);
        return outcome;
      });

  @Test
  void factsAreDeliveredOneAtATimeInOrder() throws InterruptedException {
    tell(0, 3);
    queue.on(END, 1);

    CompletableFuture<Boolean> first = open.take();
    assertThat(delivered).containsExactly("0");
    first.complete(true);
    for (int i = 0; i < 3; i++) {
      open.take().complete(true);
    }
    assertThat(delivered).containsExactly("0", "1", "2", "end");
  }

  @Test
  void aSlowReceiverMissesTheOldestButNotTheEnd() throws InterruptedException {
    tell(0, 1);
    CompletableFuture<Boolean> first = open.take();
    tell(1, WebhookQueue.WAITING_MAX + 3);
    queue.on(END, 1);

    first.complete(true);
    for (int i = 0; i < WebhookQueue.WAITING_MAX; i++) {
      open.take().complete(true);
    }

    assertThat(delivered)
        .containsExactlyElementsOf(
            Stream.of(
                    Stream.of("0"),
                    IntStream.range(4, WebhookQueue.WAITING_MAX + 3).mapToObj(Integer::toString),
                    Stream.of("end"))
                .flatMap(names -> names)
                .toList());
  }

  @Test
  void whenAFactIsNotAcceptedOnlyTheEndFollows() throws InterruptedException {
    tell(0, 1);
    CompletableFuture<Boolean> first = open.take();
    tell(1, 5);
    queue.on(END, 1);

    first.complete(false);

    open.take().complete(true);
    assertThat(delivered).containsExactly("0", "end");
  }

  @Test
  void whatIsToldLaterIsDeliveredAgain() throws InterruptedException {
    tell(0, 1);
    open.take().completeExceptionally(new IllegalStateException("planned"));

    await()
        .until(() -> {
          tell(1, 2);
          return delivered.contains("1");
        });
  }

  private void tell(int from, int to) {
    IntStream.range(from, to)
        .forEach(i -> queue.on(new ExecutionFact.TaskStarted(Integer.toString(i), NOON), 0));
  }

  private static String name(ToldFact told) {
    return told.fact() instanceof ExecutionFact.TaskStarted(var id, _) ? id : "end";
  }
}
