package gatebook.api.bench;

import gatebook.events.journal.bench.Machine;
import gatebook.events.journal.bench.Spread;
import gatebook.events.journal.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The benchmark of trees of tasks: prints a table and asserts no speed.
 *
 * <p>Each tree is created with one request and run with another against the built-in demo, over
 * HTTP; beside it, in the same round, a plain loop makes the same calls of the same tool, one by
 * one for the chain, and as many at once as a tree runs for the others. {@code mvn -q verify
 * -Pbench-trees -DskipTests -pl api -am} takes about ten minutes; with {@code -Dbench.quick} about
 * a minute, but its figures then mean nothing.
 */
public final class TreeBench {
  private static final int[] SIZES = {1_000, 10_000};
  private static final int AT_ONCE = 32;
  private static final int SMALL_TREES = 1_000;
  private static final int SMALL_TASKS = 10;

  private final int rounds = Boolean.getBoolean("bench.quick") ? 1 : 3;
  private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
  private final TreeLoad load;
  private final GatebookProcess gatebook;

  private TreeBench(GatebookProcess gatebook) {
    this.gatebook = gatebook;
    this.load = new TreeLoad(gatebook.mcp());
  }

  /**
   * Measures everything.
   *
   * @param args the build directory of the module, and the directory of the launcher
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    Path directory = Files.createTempDirectory(Path.of(args[0]).toAbsolutePath(), "trees");
    Files.writeString(
        directory.resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        """);
    Bench.print("%s", Machine.describe(directory));
    try (GatebookProcess gatebook =
        GatebookProcess.start(Path.of(args[1]).toAbsolutePath(), directory, "measured")) {
      new TreeBench(gatebook).measure();
    }
  }

  private void measure() throws IOException, InterruptedException {
    Bench.print("%s", memory("after the start"));
    round(SIZES[0]); // for the compiler
    seconds.clear();
    for (int round = 0; round < rounds; round++) {
      for (int size : SIZES) {
        round(size);
      }
      smallTrees();
      Bench.print("round %d of %d, load %.1f", round + 1, rounds, Machine.load());
    }
    Bench.print("%n%s%n", table());
    Bench.print("%s", ratios());
    Bench.print("%s; load at the end %.1f", memory("at the end"), Machine.load());
  }

  private String memory(String when) throws IOException, InterruptedException {
    return "%s: %,.0f MiB of heap after a collection, %,.0f MiB resident"
        .formatted(when, gatebook.heapMebibytes(), gatebook.residentMebibytes());
  }

  private void round(int size) throws IOException, InterruptedException {
    for (BenchTree.Form form : BenchTree.Form.values()) {
      BenchTree tree = BenchTree.of(form, size);
      String word = form.name().toLowerCase(Locale.ROOT);
      time("create, " + word, size, () -> load.create(tree));
      time("run, " + word, size, () -> load.run(tree));
    }
    BenchTree chain = BenchTree.ofProtocol(BenchTree.Form.CHAIN, size);
    time("create, chain, at /flow", size, () -> load.createInProtocol(chain));
    time("plain loop", size, () -> load.call(size, 1));
    time("plain loop, %d at once".formatted(AT_ONCE), size, () -> load.call(size, AT_ONCE));
  }

  private void smallTrees() throws IOException, InterruptedException {
    time(
        "run, %,d trees of %d at once".formatted(SMALL_TREES, SMALL_TASKS),
        SMALL_TREES * SMALL_TASKS,
        () -> load.runAtOnce(BenchTree.Form.WIDE, SMALL_TASKS, SMALL_TREES));
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Measures when nothing of the work before is left. */
  private void time(String what, int size, Work work) throws IOException, InterruptedException {
    gatebook.awaitIdle();
    long from = System.nanoTime();
    work.run();
    seconds
        .computeIfAbsent(key(what, size), _ -> new ArrayList<>())
        .add((System.nanoTime() - from) / 1e9);
  }

  private static String key(String what, int size) {
    return "%s: %,d tasks".formatted(what, size);
  }

  private Table table() {
    Table table = new Table("what", "seconds: median (lowest-highest)", "ms a task");
    seconds.forEach((what, each) -> {
      Spread spread = Spread.of(each);
      double tasks = Double.parseDouble(what.replaceAll(".*: |[^0-9]", ""));
      table.add(what, spread.text(2), "%.2f".formatted(spread.median() * 1_000 / tasks));
    });
    return table;
  }

  private String ratios() {
    int size = SIZES[SIZES.length - 1];
    ToDoubleFunction<String> median =
        what -> Spread.of(seconds.getOrDefault(key(what, size), List.of())).median();
    return "a chain of %,d takes %.2f times the plain loop; wide %.2f times the loop of %d at once"
        .formatted(
            size,
            median.applyAsDouble("run, chain") / median.applyAsDouble("plain loop"),
            median.applyAsDouble("run, wide")
                / median.applyAsDouble("plain loop, %d at once".formatted(AT_ONCE)),
            AT_ONCE);
  }
}
