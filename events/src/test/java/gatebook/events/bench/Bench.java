package gatebook.events.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The place of a benchmark, and what all benchmarks print alike.
 *
 * @param root of the repository
 * @param target where the module was built
 * @param directory which is empty at the start, and is deleted at the end
 */
public record Bench(Path root, Path target, Path directory) {
  /** Whether only its working is tried. */
  public static final boolean QUICK = Boolean.getBoolean("bench.quick");

  /** Work that is measured. */
  @FunctionalInterface
  public interface Work {
    void run() throws Exception;
  }

  /** The benchmark itself. */
  @FunctionalInterface
  interface Measured {
    void measure(Bench bench) throws Exception;
  }

  /** Prints a line of the result. */
  @SuppressWarnings("SystemOut") // it prints its results
  public static void print(String format, Object... values) {
    System.out.printf(format + "%n", values);
  }

  /** Repeats work in rounds, of which the median counts, and prints how loaded the machine is. */
  public static void rounds(int rounds, Work work) throws Exception {
    for (int round = 1; round <= rounds; round++) {
      print("round %d of %d, load %.1f", round, rounds, Machine.load());
      work.run();
    }
  }

  /** Prints the versions of programs, and ends the process when one is missing. */
  public static void require(String... programs) throws InterruptedException {
    for (String program : programs) {
      print("%s", version(program));
    }
  }

  private static String version(String program) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(program, "-v").redirectErrorStream(true).start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      process.waitFor();
      return text.lines().findFirst().orElse(program).replaceAll(" Copyright.*", "");
    } catch (IOException _) {
      print("the benchmark needs %s, which is not here: install it", program);
      System.exit(1);
      throw new IllegalStateException();
    }
  }

  /** Runs the benchmark in its directory, and prints what its figures depend on. */
  void run(Measured measured) throws Exception {
    delete();
    Files.createDirectories(directory);
    print("%s", Machine.describe(directory));
    measured.measure(this);
    print("load at the end %.1f", Machine.load());
    delete();
  }

  private void delete() throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
