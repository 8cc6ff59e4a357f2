package gatebook.api.node.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

final class TailForwarderTest {

  private final List<String> sent = new ArrayList<>();

  private void send(OwnerResponse ownerResponse) {
    sent.add(
        ownerResponse instanceof OwnerResponse.FollowedEvents(var events)
            ? new String(events, UTF_8)
            : ownerResponse.getClass().getSimpleName());
  }

  private static Flux<byte[]> events(String... texts) {
    return Flux.just(texts).map(it -> it.getBytes(UTF_8));
  }

  @Test
  void endIsSentAfterTheLastEvents() {
    Deque<Runnable> newestFirst = new ArrayDeque<>();

    events("a", "b").subscribe(new TailForwarder(newestFirst::push, this::send));
    while (!newestFirst.isEmpty()) {
      newestFirst.pop().run();
    }

    assertThat(sent).containsExactly("a", "b", "FollowEnded");
  }

  @Test
  void nothingIsRequestedWhenNoThreadTakesMoreWork() {
    AtomicBoolean isCancelled = new AtomicBoolean();

    events("a", "b")
        .doOnCancel(() -> isCancelled.set(true))
        .subscribe(
            new TailForwarder(
                _ -> {
                  throw new RejectedExecutionException("shut down");
                },
                this::send));

    assertThat(isCancelled).isTrue();
    assertThat(sent).isEmpty();
  }
}
