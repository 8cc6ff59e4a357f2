package gatebook.api.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.bench.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The set-up of a benchmark: its tools, its directory, and the versions that it prints. */
final class BenchSetup {
  private BenchSetup() {}

  /**
   * Empties the directory of a benchmark, and prints the machine and the versions. Ends the process
   * when a tool is missing.
   */
  static void begin(Path target, Path directory) throws IOException, InterruptedException {
    requireTools();
    recreate(directory);
    Bench.print("%s", Machine.describe(directory));
    Bench.print("%s", versions(target));
  }

  /** Ends the process when {@code wrk} or {@code nginx} is missing. */
  private static void requireTools() throws InterruptedException {
    require("wrk");
    require("nginx");
  }

  private static void require(String tool) throws InterruptedException {
    try {
      new ProcessBuilder(tool, "-v")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException _) {
      Bench.print(
          "the benchmark needs %s, which is not here: install it (Debian: apt install wrk nginx)",
          tool);
      System.exit(1);
    }
  }

  /** The versions of what the measured processes consist of, and of the tools. */
  private static String versions(Path target) throws IOException, InterruptedException {
    return "%s; %s; %s"
        .formatted(libraries(target), firstLine("wrk", "-v"), firstLine("nginx", "-v"));
  }

  /** The versions of what the measured processes consist of. */
  static String libraries(Path target) throws IOException {
    return "Micronaut %s, Netty %s, Axon %s, H2 %s, Cedar %s"
        .formatted(
            version(target, "micronaut-http-server-netty"),
            version(target, "netty-codec-http"),
            version(target, "axon-messaging"),
            version(target, "h2"),
            version(target, "cedar-java"));
  }

  /** The version in the name of a library's file. */
  private static String version(Path target, String library) throws IOException {
    Pattern name = Pattern.compile(Pattern.quote(library) + "-([0-9][^-]*).*\\.jar");
    try (Stream<Path> jars = Files.list(target.resolve("lib"))) {
      return jars.map(jar -> name.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(matcher -> matcher.group(1))
          .findFirst()
          .orElse("(none)");
    }
  }

  /** The first line of a program's version output. */
  private static String firstLine(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return text.lines()
        .findFirst()
        .orElse("")
        .replace("nginx version: ", "")
        .replaceAll(" Copyright.*", "");
  }

  /** Makes an empty directory. */
  static void recreate(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
    Files.createDirectories(directory);
  }
}
