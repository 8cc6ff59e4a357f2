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

  /** What no run of this test finds out. */
  private static final String FURTHER =
      """

      ## Servers of other authors

      These two are not in the lock file, and no test runs them; they were tried by hand with version 0.2.0-alpha.12 of the tool. No
      check that passes directly fails through Gatebook. What passes through Gatebook only is what Gatebook checks itself: headers that
      do not match the body, and tasks that a client does not know.

      | server | revision | checks | pass directly | pass through Gatebook |
      | --- | --- | --- | --- | --- |
      | the fixture of the tool's authors (`examples/servers/typescript`, on `@modelcontextprotocol/sdk` 1.32.2) | 2025-11-25 | 84 | 84 | 84 |
      | the same | 2026-07-28 | 180 | 127 | 131 |
      | the fixture of the newest SDK (`test/conformance`, on `@modelcontextprotocol/server` 2.4.0) | 2025-11-25 | 84 | 84 | 84 |
      | the same | 2026-07-28 | 179 | 148 | 149 |

      ## Unknown tasks

      An unknown task is `-32004` where Gatebook answers: with several sources, with `principals`, for a task of its own, and before a
      source that has no tasks. That code is the requirement's, while MCP and the tool's check `sep-2663-tasks-get-invalid-task-id-32602`
      want `-32602`. With one source and without `principals` the source answers, and its own code passes through, as in this page.
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
            .collect(joining())
        + FURTHER;
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
