package gatebook.events.journal.bench;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/**
 * The benchmark of the journal: prints tables, asserts no speed.
 *
 * <p>{@code mvn -q verify -Pbench -DskipTests -pl events} takes about a quarter of an hour; with
 * {@code -Dbench.quick} about a minute, and its figures then mean nothing. With {@code
 * -Dbench.postgres} it measures only appends to PostgreSQL.
 */
public final class Bench {
  private Bench() {}

  /**
   * Measures everything.
   *
   * @param args the build directory, and the directory of the peers' sources
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    Path directory = Path.of(args[0], "bench").toAbsolutePath();
    empty(directory);
    Plan plan = Plan.chosen();
    say("%s", Machine.describe(directory));
    say("%d MiB of heap for each process", Runtime.getRuntime().maxMemory() >> 20);
    try (AppendMeasurement appendMeasurement =
        new AppendMeasurement(plan, directory, Path.of(args[1]))) {
      appendMeasurement.measure();
      say("%n%s%n%n%s%n", appendMeasurement.table(), appendMeasurement.ratios());
    }
    if (!plan.onlyPostgres()) {
      Path kept = Files.createDirectory(directory.resolve("kept"));
      say("%s", new StorageMeasurement(plan, kept).measure());
    }
    say("load at the end %.1f", Machine.load());
    empty(directory);
  }

  @SuppressWarnings("SystemOut") // it prints its results
  static void say(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }

  private static void empty(Path directory) throws IOException {
    if (Files.exists(directory)) {
      Files.walkFileTree(directory, new Deleting());
    }
    Files.createDirectories(directory);
  }

  private static final class Deleting extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, java.io.IOException failure)
        throws IOException {
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
