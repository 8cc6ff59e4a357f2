package gatebook.api.flow;

import static gatebook.events.bench.Bench.print;

import gatebook.api.load.GatebookProcess;
import gatebook.events.bench.Bench;
import gatebook.events.bench.Spread;
import gatebook.events.bench.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Trees of tasks, in ten minutes: each is created with one request and run with another, beside a
 * plain loop that makes the same calls of the same tool.
 *
 * <p>The loop makes its calls one by one for the chain, and as many at once as a tree runs for the
 * others.
 */
final class TreesBench {
  private static final int[] SIZES = {1_000, 10_000};
  private static final int ROUNDS = Bench.QUICK ? 1 : 3;
  private static final int AT_ONCE = 32;
  private static final int SMALL_TREES = 1_000;
  private static final int SMALL_TASKS = 10;

  private final Map<String, List<Double>> seconds = new LinkedHashMap<>();
  private final TreeLoad load;
  private final GatebookProcess gatebook;

  private TreesBench(GatebookProcess gatebook) {
    this.gatebook = gatebook;
    this.load = new TreeLoad(gatebook.mcp());
  }

  static void measure(Bench bench) throws Exception {
    Files.writeString(
        bench.directory().resolve("gatebook.yaml"),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance: {defaults: {action: forward}}
        """);
    try (GatebookProcess gatebook =
        GatebookProcess.start(bench.root(), bench.directory(), "measured")) {
      new TreesBench(gatebook).measure();
    }
  }

  private void measure() throws Exception {
    print("%s", memory("after the start"));
    round(SIZES[0]); // for the compiler
    seconds.clear();
    Bench.rounds(
        ROUNDS,
        () -> {
          for (int size : SIZES) {
            round(size);
          }
          smallTrees();
        });
    print("%n%s%n", table());
    print("%s", ratios());
    print("%s", memory("at the end"));
  }

  private String memory(String when) throws IOException, InterruptedException {
    return "%s: %,.0f MiB of heap after a collection, %,.0f MiB resident"
        .formatted(when, gatebook.heapMebibytes(), gatebook.residentMebibytes());
  }

  private void round(int size) throws Exception {
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

  private void smallTrees() throws Exception {
    time(
        "run, %,d trees of %d at once".formatted(SMALL_TREES, SMALL_TASKS),
        SMALL_TREES * SMALL_TASKS,
        () -> load.runAtOnce(BenchTree.Form.WIDE, SMALL_TASKS, SMALL_TREES));
  }

  /** Measures when nothing of the work before is left. */
  private void time(String what, int size, Bench.Work work) throws Exception {
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
