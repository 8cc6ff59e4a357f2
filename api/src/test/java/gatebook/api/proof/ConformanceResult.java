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
 * The result of the official conformance tool for one server.
 *
 * @param checks the results by scenario and check; a check may be made more than once
 */
record ConformanceResult(SortedMap<String, String> checks) {
  private static final Duration TIMEOUT = Duration.ofMinutes(10);
  private static final String TOOL = "node_modules/@modelcontextprotocol/conformance/dist/index.js";
  private static final String NOT_MADE = "not made";
  private static final String ABORTED = "the scenario broke off";

  /** The name of a result folder: the scenario and its time. */
  private static final Pattern RESULT = Pattern.compile("server-(.+)-\\d{4}-\\d\\d-\\d\\dT.*");

  /** A check whose result differs through Gatebook. */
  record Difference(String check, String directly, String through) {
    /** Whether the check passes only without Gatebook. */
    boolean isLoss() {
      return isPassed(directly);
    }
  }

  /**
   * Runs everything that a revision requires, and what the tool reports without requiring it.
   *
   * @param folder for the results; created by this method
   */
  static ConformanceResult of(URI server, ProtocolRevision revision, Path folder) {
    try {
      Files.createDirectories(folder);
      Path log = folder.resolve("log");
      // it exits with 1 when a check failed, so its exit code is ignored
      NpmPeers.run(
          new ProcessBuilder(
                  NpmPeers.node(
                      TOOL,
                      "server",
                      "--url",
                      server.toString(),
                      "--requirements",
                      revision.revision(),
                      "--output-dir",
                      folder.toString()))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile()),
          TIMEOUT);
      if (!Files.readString(log).contains("Total: ")) {
        throw new AssertionError("the tool did not finish: " + Files.readString(log));
      }
      return new ConformanceResult(read(folder));
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
    if (!Files.exists(file)) { // the tool itself failed in this scenario
      checks.put(scenario + " / all", ABORTED);
      return;
    }
    for (JsonNode check : ServerProcess.json(Files.readString(file))) {
      String status = check.get("status").asText();
      if (!status.equals("INFO")) {
        checks.merge(scenario + " / " + check.get("id").asText(), status, ConformanceResult::both);
      }
    }
  }

  private static String both(String one, String other) {
    return Stream.of((one + " " + other).split(" ")).sorted().collect(joining(" "));
  }

  /** The number of checks that were made and passed each time. */
  long passed() {
    return checks.values().stream().filter(ConformanceResult::isPassed).count();
  }

  private static boolean isPassed(String ends) {
    return Stream.of(ends.split(" ")).allMatch("SUCCESS"::equals);
  }

  /** The checks whose results differ. */
  List<Difference> differences(ConformanceResult through) {
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
