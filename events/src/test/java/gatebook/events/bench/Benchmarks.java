package gatebook.events.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All benchmarks of the repository. They print tables and assert no speed.
 *
 * <p>A benchmark stands beside the tests of what it measures, in a class with its name and {@code
 * Bench} behind: {@code mvn -q verify -Pbench -Dbench=trees -DskipTests} calls {@code measure} of
 * {@code TreesBench}. With {@code -Dbench.quick} it takes about a minute, and its figures mean
 * nothing.
 */
final class Benchmarks {
  private static final Pattern SOURCE =
      Pattern.compile("[^/]+/src/test/java/(?<type>.*/(?<name>[A-Z]\\w*)Bench)\\.java");

  private static final Pattern FIRST_SENTENCE =
      Pattern.compile("/\\*\\*(?<text>.*?\\.)(?:\\s|$)", Pattern.DOTALL);

  private Benchmarks() {}

  /** A benchmark: its source, and its type. */
  private record Found(Path source, String type) {
    String sentence() throws IOException {
      Matcher sentence = FIRST_SENTENCE.matcher(Files.readString(source, UTF_8));
      return sentence.find()
          ? sentence.group("text").replaceAll("\\s*\\n?\\s*\\*?\\s+", " ").strip()
          : "";
    }

    void measure(Bench bench) throws ReflectiveOperationException {
      Method measure = Class.forName(type).getDeclaredMethod("measure", Bench.class);
      measure.setAccessible(true);
      measure.invoke(null, bench);
    }
  }

  /**
   * Runs a benchmark if this module has it. Lists all when no module has it.
   *
   * @param args its name, and the directory of the module
   */
  public static void main(String[] args) throws Exception {
    Locale.setDefault(Locale.ROOT);
    Path module = Path.of(args[1]).toAbsolutePath();
    Path root = Path.of(System.getProperty("gatebook.root")).toAbsolutePath();
    Map<String, Found> all = all(root);
    Found chosen = all.get(args[0]);
    if (chosen == null) {
      list(all);
      System.exit(1);
    } else if (chosen.source().startsWith(module)) {
      Path target = module.resolve("target");
      new Bench(root, target, target.resolve("bench-" + args[0])).run(chosen::measure);
    }
  }

  private static Map<String, Found> all(Path root) throws IOException {
    Map<String, Found> all = new TreeMap<>();
    try (Stream<Path> files =
        Files.find(root, Integer.MAX_VALUE, (file, _) -> file.toString().endsWith("Bench.java"))) {
      for (Path file : files.toList()) {
        Matcher source = SOURCE.matcher(root.relativize(file).toString());
        if (source.matches()) {
          all.put(
              source.group("name").toLowerCase(Locale.ROOT),
              new Found(file, source.group("type").replace('/', '.')));
        }
      }
    }
    return all;
  }

  private static void list(Map<String, Found> all) throws IOException {
    Table table = new Table("-Dbench=", "what it measures");
    for (Map.Entry<String, Found> each : all.entrySet()) {
      table.add(each.getKey(), each.getValue().sentence());
    }
    Bench.print("name a benchmark:%n%n%s%n", table);
  }
}
