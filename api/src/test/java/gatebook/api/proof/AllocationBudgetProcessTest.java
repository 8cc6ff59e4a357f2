package gatebook.api.proof;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.load.AllocatedBytes;
import gatebook.api.load.GatebookProcess;
import gatebook.api.load.PacedLoad;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The budget of bytes that a server allocates for a call, on all its threads. */
@Timeout(600)
final class AllocationBudgetProcessTest {
  private static final int DENIED_BYTES = 45_000;
  private static final int FORWARDED_BYTES = 70_000;
  private static final double TOLERANCE = 1.2;

  private static final int CALLS = 10_000;
  private static final int PER_SECOND = 2_000;

  /** The compiler is still at work in the first ones. */
  private static final int ROUNDS_MAX = 4;

  private static final Path ROOT = Path.of(System.getProperty("gatebook.root"));

  private static final String RULES =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance:
        defaults: {action: forward}
        rules: [{match: "delete_*", action: deny}]
      """;

  @TempDir private Path directory;

  @Test
  void deniedCallKeepsItsBudget() throws Exception {
    assertBudget("delete_stock", DENIED_BYTES);
  }

  @Test
  void forwardedCallKeepsItsBudget() throws Exception {
    assertBudget("echo", FORWARDED_BYTES);
  }

  private void assertBudget(String tool, int bytes) throws IOException, InterruptedException {
    Files.writeString(directory.resolve("gatebook.yaml"), RULES);
    double most = bytes * TOLERANCE;
    try (GatebookProcess gatebook = GatebookProcess.start(ROOT, directory, "data")) {
      Map<String, Long> _ = allocated(gatebook, tool);
      Map<String, Long> least = allocated(gatebook, tool);
      for (int round = 2; round < ROUNDS_MAX && sum(least) > most; round++) {
        Map<String, Long> allocated = allocated(gatebook, tool);
        least = sum(allocated) < sum(least) ? allocated : least;
      }
      assertThat(sum(least))
          .as("bytes of a call, which threads allocated as %s", least)
          .isLessThan((long) most);
    }
  }

  /** The bytes of a call, by thread. */
  private static Map<String, Long> allocated(GatebookProcess gatebook, String tool)
      throws IOException, InterruptedException {
    gatebook.awaitIdle();
    AllocatedBytes before = AllocatedBytes.of(gatebook.pid());
    String call =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s",\
        "arguments":{"sku":"A-102934","warehouse":"north","amount":12}}}\
        """
            .formatted(tool);
    var _ = PacedLoad.of(gatebook.mcp(), call, PER_SECOND, CALLS / PER_SECOND).run();
    gatebook.awaitIdle();
    return AllocatedBytes.of(gatebook.pid()).since(before).byThread().entrySet().stream()
        .filter(thread -> thread.getValue() >= CALLS)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, thread -> thread.getValue() / CALLS, Long::sum, TreeMap::new));
  }

  private static long sum(Map<String, Long> byThread) {
    return byThread.values().stream().mapToLong(Long::longValue).sum();
  }
}
