package gatebook.api.proof;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the official conformance tool finds of one server.
 *
 * @param checks by scenario and check, how it ended; a check may be made more than once
 */
record Conformance(SortedMap<String, String> checks) {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final String TOOL = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  private static final String NOT_MADE = "not made";
  private static final String BROKE_OFF = "the scenario broke off";

  /** A folder of results: the scenario, and when it was run. */
  private static final Pattern RESULT = Pattern.compile("server-(.+)-\\d{4}-\\d\\d-\\d\\dT.*");

  /** A check that ends otherwise than without Gatebook. */
  record Difference(String check, String directly, String through) {
    /** Whether it is to the worse: it passes directly. */
    boolean isLoss() {
      return isPassed(directly);
    }
  }

  /**
   * Runs all that a revision requires, and what it reports without requiring it.
   *
   * @param folder where the results go; made by this
   */
  static Conformance of(URI server, Era era, Path folder) {
    try {
      Files.createDirectories(folder);
      Path log = folder.resolve("log");
      // it ends with 1 when a check failed, so that its end says nothing
      Peers.exitValue(
          new ProcessBuilder(
                  Peers.node(
                      TOOL,
                      "server",
                      "--url",
                      server.toString(),
                      "--requirements",
                      era.revision(),
                      "--output-dir",
                      folder.toString()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile()),
          PATIENCE);
      if (!Files.readString(log).contains("Total: ")) {
        throw new AssertionError("the tool did not come to its end: " + Files.readString(log));
      }
      return new Conformance(read(folder));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SortedMap<String, String> read(Path folder) throws IOException {
    SortedMap<String, String> checks = new TreeMap<>();
    try (Stream<Path> results = Files.list(folder)) {
      for (Path result : results.toList()) {
        Matcher named = RESULT.matcher(result.getFileName().toString());
        if (named.matches()) {
          read(named.group(1), result.resolve("checks.json"), checks);
        }
      }
    }
    return checks;
  }

  private static void read(String scenario, Path file, SortedMap<String, String> checks)
      throws IOException {
    if (!Files.exists(file)) { // the tool itself failed at it
      checks.put(scenario + " / all", BROKE_OFF);
      return;
    }
    for (JsonNode check : Server.json(Files.readString(file))) {
      String status = check.get("status").asText();
      if (!status.equals("INFO")) {
        checks.merge(scenario + " / " + check.get("id").asText(), status, Conformance::both);
      }
    }
  }

  private static String both(String one, String other) {
    return Stream.of((one + " " + other).split(" ")).sorted().collect(joining(" "));
  }

  /** How many of them were made, and passed each time. */
  long passed() {
    return checks.values().stream().filter(Conformance::isPassed).count();
  }

  private static boolean isPassed(String ends) {
    return Stream.of(ends.split(" ")).allMatch("SUCCESS"::equals);
  }

  /** What ends otherwise with a server in between. */
  List<Difference> differences(Conformance through) {
    SortedSet<String> all = new TreeSet<>(checks.keySet());
    all.addAll(through.checks.keySet());
    return all.stream()
        .map(check -> new Difference(check, end(checks, check), end(through.checks, check)))
        .filter(difference -> !difference.directly().equals(difference.through()))
        .toList();
  }

  private static String end(Map<String, String> checks, String check) {
    return checks.getOrDefault(check, NOT_MADE);
  }
}
