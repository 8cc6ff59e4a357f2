package gatebook.api.proof;

import static java.util.stream.Collectors.joining;

import gatebook.api.proof.ConformanceResult.Difference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The conformance page: the results of the conformance tool with and without Gatebook, as Markdown.
 */
record ConformancePage(SortedMap<ProtocolRevision, Pair> found) {
  /** Marks a difference whose reason is not written yet. */
  static final String NO_REASON = "| ? |";

  private static final String HEADING = "## ";
  private static final String INTRODUCTION =
      """
      # What the conformance tool finds through Gatebook

      The official tool (`@modelcontextprotocol/conformance`) checks a server directly, and behind a Gatebook that forwards
      everything. A test prints this page and compares it in every build: it lists each check that does not end alike, and nothing
      else. `-Dtables=write` writes it anew, and keeps what it says of why.

      """;

  /** The results for one server, directly and through Gatebook. */
  record Pair(ConformanceResult directly, ConformanceResult through) {
    List<Difference> differences() {
      return directly.differences(through);
    }

    /** The number of checks that pass both ways. */
    long kept() {
      return directly.passed() - differences().stream().filter(Difference::isLoss).count();
    }
  }

  /** A table with one line for each revision. */
  String summary() {
    return Stream.concat(
            Stream.of(
                "| revision | checks | pass directly | of these, pass through Gatebook |",
                "| --- | --- | --- | --- |"),
            found.entrySet().stream().map(of -> counts(of.getKey(), of.getValue())))
        .collect(joining("\n", "", "\n"));
  }

  private static String counts(ProtocolRevision revision, Pair pair) {
    return "| %s | %d | %d | %d |"
        .formatted(
            revision.revision(),
            pair.directly().checks().size(),
            pair.directly().passed(),
            pair.kept());
  }

  /**
   * The whole page.
   *
   * @param before an earlier version, from which the reasons are copied
   */
  String text(String before) {
    Map<String, String> reasons = reasons(before);
    return INTRODUCTION
        + summary()
        + found.entrySet().stream()
            .map(of -> section(of.getKey(), of.getValue().differences(), reasons))
            .collect(joining());
  }

  private static String section(
      ProtocolRevision revision, List<Difference> differences, Map<String, String> reasons) {
    String heading = HEADING + revision.revision();
    String rows =
        differences.stream()
            .map(it -> row(it, reasons.getOrDefault(heading + it.check(), "?")))
            .collect(joining());
    return "\n%s\n\n%s"
        .formatted(
            heading,
            rows.isEmpty()
                ? "Every check ends alike.\n"
                : "| check | directly | through Gatebook | why |\n| --- | --- | --- | --- |\n"
                    + rows);
  }

  private static String row(Difference it, String reason) {
    return "| %s | %s | %s | %s |\n".formatted(it.check(), it.directly(), it.through(), reason);
  }

  /** The reasons of the differences, by heading and check. */
  private static Map<String, String> reasons(String page) {
    Map<String, String> reasons = new HashMap<>();
    String heading = "";
    for (String line : page.lines().toList()) {
      if (line.startsWith(HEADING)) {
        heading = line;
      } else if (line.startsWith("| ")) {
        List<String> row = List.of(line.substring(2, line.length() - 2).split(" \\| "));
        reasons.put(heading + row.getFirst(), row.getLast());
      }
    }
    return reasons;
  }
}
