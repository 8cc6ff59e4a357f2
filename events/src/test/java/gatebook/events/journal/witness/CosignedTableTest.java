package gatebook.events.journal.witness;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class CosignedTableTest {
  private final SharedLocation database = Journals.freshSchema();
  @AutoClose private final CosignedTable one = CosignedTable.ofLogs(database);
  @AutoClose private final CosignedTable other = CosignedTable.ofLogs(database);

  @Test
  void nodesSeeWhatOthersStored() throws IOException {
    assertThat(one.read("log")).isEmpty();
    assertThat(one.replace("log", Optional.empty(), "first")).isTrue();
    assertThat(other.read("log")).contains("first");
    assertThat(other.replace("log", Optional.empty(), "fork")).isFalse();
    assertThat(other.replace("log", Optional.of("older"), "fork")).isFalse();
    assertThat(other.replace("log", Optional.of("first"), "second")).isTrue();
    assertThat(one.read("log")).contains("second");
    assertThat(one.read("another")).isEmpty();
  }

  @Test
  void ofNodesThatStoreAtTheSameTimeOneSucceeds() throws Exception {
    for (int round = 0; round < 20; round++) {
      Optional<String> before = one.read("log");
      try (ExecutorService nodes = Executors.newFixedThreadPool(2)) {
        List<Future<Boolean>> stored =
            IntStream.range(0, 2)
                .mapToObj(node ->
                    nodes.submit(
                        () -> (node == 0 ? one : other).replace("log", before, "note by " + node)))
                .toList();
        assertThat(stored.stream().filter(CosignedTableTest::result)).hasSize(1);
      }
      assertThat(one.replace("log", one.read("log"), "round " + round)).isTrue();
    }
  }

  private static boolean result(Future<Boolean> stored) {
    try {
      return stored.get();
    } catch (Exception e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }
}
