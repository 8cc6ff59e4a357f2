package gatebook.api.node.operator;

import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.node.WatchedNode;
import gatebook.events.Requires;
import gatebook.events.call.DenialReason;
import gatebook.events.journal.checkpoint.CosigningKey;
import gatebook.events.journal.checkpoint.LoadedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus accepts the files in {@code monitoring}, and their metrics exist in a node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MonitoringTest {

  private static final Path HOME =
      Path.of(requireNonNull(System.getProperty("gatebook.root"), "the build sets it"));
  private static final Path FOLDER = HOME.resolve("api/monitoring");

  /** Created by Prometheus, not by a node. */
  private static final String MADE_BY_PROMETHEUS = "up";

  /** A metric and its label matchers. */
  private static final Pattern METRIC =
      Pattern.compile("\\b(up|(?:gatebook|thoughtgate)_[a-z_]+)\\b(?:\\{([^}]*)})?");

  private static final Pattern EXPRESSION =
      Pattern.compile("^ {8}expr: (?:\\|\\n((?: {10}.*\\n)+)|(.*)\\n)", Pattern.MULTILINE);
  private static final Pattern ALERT = Pattern.compile("(?<=alert(?:name)?: )Gatebook\\w+");

  private String scraped = "";

  private record Output(int exitCode, String text) {}

  @BeforeAll
  void scrapeANodeThatHasRefusedAndFailed(@TempDir Path folder) throws IOException {
    try (WatchedNode node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: gone, kind: mcp, url: "http://127.0.0.1:1/mcp"}]
            governance:
              defaults: {action: forward}
              rules: [{match: "delete_*", action: deny}]
            anchors: [{name: vault, directory: /nowhere/checkpoints}]
            witnesses:
              policy: |
                witness w %s http://127.0.0.1:1/witness
                quorum w
            sign_on: [{name: corp, issuer: "http://127.0.0.1:1", audience: gate, callers: {}}]
            """
                .formatted(witnessKey(folder)))) {
      node.provoke("denied", toolCall("delete_all"));
      node.provoke("failed", toolCall("read"));
      await()
          .untilAsserted(() -> {
            scraped = node.get("/metrics").body();
            assertThat(scraped).contains("gatebook_sign_on_keys_age_seconds{");
          });
    }
  }

  private static String witnessKey(Path folder) {
    return switch (CosigningKey.loadOrCreate(folder.resolve("witness.key"), "witness.example/w")) {
      case LoadedKey.Key<CosigningKey>(CosigningKey key) -> key.verifier().text();
      case LoadedKey.Refused<CosigningKey>(String why) -> throw new AssertionError(why);
    };
  }

  @Test
  void prometheusAcceptsTheScrapeConfigurationAndTheRules() throws Exception {
    assertThat(promtool("", "check", "config", "--lint-fatal", "prometheus.yml").exitCode).isZero();
    assertThat(promtool("", "check", "rules", "--lint-fatal", "alerts.yml").exitCode).isZero();
  }

  @Test
  void eachAlertFiresAtItsThreshold() throws Exception {
    Output output = promtool("", "test", "rules", "alerts-test.yml", "alerts-day-test.yml");

    assertThat(output.exitCode).as(output.text).isZero();
    assertThat(alerts("alerts-test.yml")).isEqualTo(alerts("alerts.yml"));
  }

  @Test
  void everyMetricOfTheRulesExists() throws Exception {
    List<MatchResult> named =
        EXPRESSION
            .matcher(read("alerts.yml"))
            .results()
            .map(expression -> expression.group())
            .flatMap(expression -> METRIC.matcher(expression).results())
            .toList();

    assertThat(named).hasSizeGreaterThan(alerts("alerts.yml").size());
    assertThat(named).allSatisfy(it -> assertThat(it.group()).satisfies(this::isShown));
  }

  private void isShown(String selector) {
    String name = selector.replaceFirst("\\{.*", "");
    Set<String> labels =
        Pattern.compile("[a-z]+(?==)")
            .matcher(selector)
            .results()
            .map(MatchResult::group)
            .collect(toCollection(TreeSet::new));
    assertThat(name.equals(MADE_BY_PROMETHEUS) || shown(name, labels)).as(selector).isTrue();
  }

  private boolean shown(String name, Set<String> labels) {
    return scraped
        .lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .anyMatch(line -> labels.stream().allMatch(label -> line.contains(label + "=\"")));
  }

  @Test
  void prometheusAcceptsTheMetrics() throws Exception {
    Output output = promtool(scraped, "check", "metrics");

    assertThat(output).isEqualTo(new Output(0, ""));
    assertThat(shown("process_cpu_seconds_total", Set.of())).isTrue();
  }

  @Test
  void theReadmeListsEveryReasonOfADenial() throws IOException {
    assertThat(Files.readString(HOME.resolve("api/OPERATING.md")).replace('\n', ' '))
        .contains(
            "`reason` is one of "
                + Stream.of(DenialReason.values())
                    .map(reason -> "`" + reason.word() + "`")
                    .collect(joining(", "))
                + ".");
  }

  private static Set<String> alerts(String file) throws IOException {
    return ALERT
        .matcher(read(file))
        .results()
        .map(MatchResult::group)
        .collect(toCollection(TreeSet::new));
  }

  private static String read(String file) throws IOException {
    return Files.readString(FOLDER.resolve(file));
  }

  private static Output promtool(String input, String... arguments) throws Exception {
    Requires.program("promtool");
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList())
            .directory(FOLDER.toFile())
            .redirectErrorStream(true)
            .start();
    try (var to = process.getOutputStream()) {
      to.write(input.getBytes(UTF_8));
    }
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }
}
