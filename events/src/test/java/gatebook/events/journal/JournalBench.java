package gatebook.events.journal;

import static gatebook.events.bench.Bench.print;

import gatebook.events.bench.Bench;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The journal beside a bare loop and Axon's own engines, in ten minutes: appends, the size on disk,
 * and how fast events are found.
 *
 * <p>With {@code -Dbench.postgres} it measures only appends to PostgreSQL.
 */
final class JournalBench {

  private JournalBench() {}

  static void measure(Bench bench) throws Exception {
    JournalBenchPlan plan = JournalBenchPlan.chosen();
    Path peers = bench.root().resolve("events/src/test/peers");
    try (AppendMeasurement appends = new AppendMeasurement(plan, bench.directory(), peers)) {
      appends.measure();
      print("%n%s%n%n%s%n", appends.table(), appends.ratios());
    }
    if (!plan.onlyPostgres()) {
      Path kept = Files.createDirectory(bench.directory().resolve("kept"));
      print("%s", new StorageMeasurement(plan, kept).measure());
    }
  }
}
