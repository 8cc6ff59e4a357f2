package gatebook.api.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class FutureListTest {

  private final CompletableFuture<String> first = new CompletableFuture<>();
  private final CompletableFuture<String> second = new CompletableFuture<>();
  private final CompletableFuture<List<String>> all = FutureList.all(List.of(first, second));

  @Test
  void resultsAreInTheOrderOfTheFutures() {
    second.complete("b");
    assertThat(all).isNotDone();

    first.complete("a");

    assertThat(all).isCompletedWithValue(List.of("a", "b"));
  }

  @Test
  void aFailedFutureFailsTheList() {
    first.completeExceptionally(new IllegalStateException("broken"));
    second.complete("b");

    assertThat(all).isCompletedExceptionally();
  }

  @Test
  void noFuturesAreAnEmptyList() {
    assertThat(FutureList.all(List.of())).isCompletedWithValue(List.of());
  }
}
