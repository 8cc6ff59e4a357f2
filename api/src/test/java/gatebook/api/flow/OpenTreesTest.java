package gatebook.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.flow.task.RefusedRequest;
import gatebook.api.upstream.Upstream.Ended;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.InvalidTaskSchema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many open trees a principal may have. */
final class OpenTreesTest {
  private final Map<String, Long> open = new HashMap<>(Map.of("ada", 0L, "joe", 0L));
  private Instant now = Instant.EPOCH;
  private int counted;

  private final OpenTrees openTrees = new OpenTrees(this::count, () -> now);

  private CompletableFuture<OptionalLong> count(String owner) {
    counted++;
    Long trees = open.get(owner);
    return CompletableFuture.completedFuture(
        trees == null ? OptionalLong.empty() : OptionalLong.of(trees));
  }

  @Test
  void principalHasAsManyOpenTreesAsTheLimit() {
    for (int i = 0; i < 3; i++) {
      take("ada", 3);
      open.merge("ada", 1L, Long::sum);
    }

    assertRefused("ada", 3, 3);
    take("joe", 3);
  }

  @Test
  void thereIsRoomAgainWhenATreeEnded() {
    open.put("ada", 3L);
    assertRefused("ada", 3, 3);

    open.put("ada", 2L);
    take("ada", 3);
  }

  @Test
  void treesAreNotCountedAnewForEachCreation() {
    for (int i = 0; i < 100; i++) {
      take("ada", 100);
    }
    assertThat(counted).isEqualTo(1);

    take("ada", 100); // the room is used up, but the trees may have ended
    assertThat(counted).isEqualTo(2);
  }

  @Test
  void treesThatOtherNodesCreateAreSeenAfterAWhile() {
    take("ada", 3);
    open.put("ada", 3L);
    take("ada", 3);

    now = now.plusSeconds(10);

    assertRefused("ada", 3, 3);
  }

  @Test
  void lowerLimitHoldsAtOnce() {
    take("ada", 10);
    open.put("ada", 5L);

    assertRefused("ada", 5, 5);
  }

  @Test
  void processWithoutAViewHasNoLimit() {
    for (int i = 0; i < 10; i++) {
      take("nobody", 1);
    }
  }

  @Test
  void treesThatAreCreatedAtOnceKeepTheLimit() {
    CompletableFuture<OptionalLong> firstCount = new CompletableFuture<>();
    List<CompletableFuture<OptionalLong>> counts = new ArrayList<>(List.of(firstCount));
    OpenTrees counting =
        new OpenTrees(
            _ ->
                counts.isEmpty()
                    ? CompletableFuture.completedFuture(OptionalLong.of(1))
                    : counts.removeFirst(),
            () -> now);
    CompletableFuture<Void> recorded = new CompletableFuture<>();

    List<CompletableFuture<Void>> created =
        IntStream.range(0, 9)
            .mapToObj(_ -> counting.create("ada", limits(3), () -> recorded))
            .toList();
    firstCount.complete(OptionalLong.of(1)); // before any of them is recorded

    assertThat(created.stream().filter(CompletableFuture::isCompletedExceptionally)).hasSize(7);
    recorded.complete(null);
    assertThat(created.stream().filter(it -> !it.isCompletedExceptionally()))
        .hasSize(2)
        .allMatch(CompletableFuture::isDone);
  }

  @Test
  void aCreationThatFailsIsNotCounted() {
    open.put("ada", 2L);
    CompletableFuture<Void> failed =
        openTrees.create(
            "ada",
            limits(3),
            () -> {
              throw new IllegalStateException("not created");
            });
    assertThat(failed).isCompletedExceptionally();

    take("ada", 3);
  }

  private void take(String owner, int limit) {
    take(owner, limits(limit)).join();
  }

  private CompletableFuture<Void> take(String owner, GatewayLimits gatewayLimits) {
    return openTrees.create(owner, gatewayLimits, () -> CompletableFuture.completedFuture(null));
  }

  private static GatewayLimits limits(int open) {
    return GatewayLimits.DEFAULT.with(Limit.TREES_OPEN_PER_PRINCIPAL_MAX, open);
  }

  private void assertRefused(String owner, int limit, long trees) {
    CompletableFuture<Void> taken = take(owner, limits(limit));

    assertThat(taken.<Ended>thenApply(_ -> null).exceptionally(RefusedRequest::ended).join())
        .isEqualTo(
            new Ended.Failure(
                new InvalidTaskSchema(
                    null,
                    List.of(
                        new Problem(
                            "tasks",
                            "You have %d open trees, and the limit is %d: wait until one has ended,"
                                    .formatted(trees, limit)
                                + " or cancel one",
                            "at most %d open trees".formatted(limit),
                            JsonValue.parse(Long.toString(trees)),
                            List.of())))));
  }
}
