package gatebook.api.flow.run;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.tree.TaskDependency;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The results of a tree that runs: those in memory, and those that are read. */
final class TreeResultsTest {
  private final Map<String, String> stored = new HashMap<>();
  private final List<String> read = new ArrayList<>();
  private final ResultMemory resultMemory = new ResultMemory(10);
  private final TreeResults results = new TreeResults(resultMemory, this::read);

  private CompletableFuture<Optional<String>> read(String id) {
    read.add(id);
    return CompletableFuture.completedFuture(Optional.ofNullable(stored.get(id)));
  }

  private void complete(String id, String result) {
    stored.put(id, result);
    results.add(id, result);
  }

  private Optional<Map<String, String>> get(int charsMax, String... ids) {
    return results
        .of(List.of(ids).stream().map(id -> new TaskDependency(id, true)).toList())
        .get(charsMax)
        .join();
  }

  @Test
  void resultsInMemoryAreNotRead() {
    complete("b", "12");
    complete("a", "345");

    assertThat(get(5, "a", "b")).contains(Map.of("a", "345", "b", "12"));
    assertThat(get(5, "a", "b").orElseThrow().keySet()).containsExactly("a", "b");
    assertThat(read).isEmpty();
  }

  @Test
  void resultsWithoutMemoryAreRead() {
    complete("a", "12345678");
    complete("b", "12345678");

    assertThat(get(16, "a", "b")).contains(Map.of("a", "12345678", "b", "12345678"));
    assertThat(read).containsExactly("b");
    assertThat(resultMemory.charsLeft()).isEqualTo(2);
  }

  @Test
  void allTreesShareTheMemory() {
    TreeResults other = new TreeResults(resultMemory, this::read);
    complete("a", "12345678");
    other.add("x", "123");
    assertThat(resultMemory.charsLeft()).isEqualTo(2);

    results.close();
    complete("late", "1");
    assertThat(resultMemory.charsLeft()).isEqualTo(10);

    other.add("y", "123");
    assertThat(resultMemory.charsLeft()).isEqualTo(7);
  }

  @Test
  void aTaskWithoutResultHasNoneToGive() {
    complete("a", "1");

    assertThat(get(9, "failed", "a")).contains(Map.of("a", "1"));
  }

  @Test
  void tooManyCharactersAreNotGiven() {
    complete("a", "123");
    complete("b", "123");

    assertThat(get(6, "a", "b")).isPresent();
    assertThat(get(5, "a", "b")).isEmpty();
  }

  @Test
  void readingEndsWhenItIsTooMuch() {
    String[] ids = IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new);
    List.of(ids).forEach(id -> stored.put(id, "123"));

    assertThat(get(50, ids)).isEmpty();
    assertThat(read).hasSizeLessThanOrEqualTo(32);
    assertThat(get(300, ids).orElseThrow()).hasSize(100);
  }
}
