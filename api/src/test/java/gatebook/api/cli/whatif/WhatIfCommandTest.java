package gatebook.api.cli.whatif;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.cli.CommandRun;
import gatebook.api.cli.text.ProgressOutput;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command on a node with three calls: two to echo and one to drop, which was denied. */
@Timeout(300)
final class WhatIfCommandTest {
  private static final String THEN =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}, rules: [{match: drop, action: deny}]}
      operators: [{name: alice, token_hash: "%s", roles: [view, arguments, admin]}]
      """
          .formatted(hash(NodeCaller.ALICE));

  /** Denies echo by a policy in a file that the node does not have, and allows drop. */
  private static final String CANDIDATE =
      """
      schema: 1
      sources: [{id: demo, kind: demo}]
      governance: {defaults: {action: forward}, rules: [{match: echo, action: policy, policy_id: p}]}
      cedar: {policies: [mine.cedar]}
      """;

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static Path folder = Path.of("");
  private static WatchedNode node;

  @BeforeAll
  static void callNode() throws IOException {
    folder = NODES.folder();
    Files.writeString(folder.resolve("candidate.yaml"), CANDIDATE);
    Files.writeString(folder.resolve("same.yaml"), THEN);
    Files.writeString(folder.resolve("mine.cedar"), "forbid (principal, action, resource);\n");
    node = NODES.shared(THEN);
    node.caller().send("/mcp", "a", toolCall("echo"));
    node.caller().send("/mcp", "b", toolCall("echo"));
    node.caller().send("/mcp", "c", toolCall("drop"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          same.yaml      |                               |                | 0
          candidate.yaml |                               |                | 1
          candidate.yaml | newly-denied:policy:echo      |                | 1
          candidate.yaml | newly-denied:policy:echo      | newly-allowed  | 0
          candidate.yaml | newly-denied:policy:e*        | *:governance:d* | 0
          candidate.yaml | newly-denied:governance       | newly-allowed  | 1
          candidate.yaml | *                             |                | 0
          """)
  void exitCodeTellsChangesBeyondWhatIsAllowed(
      String candidate, String allowed, String alsoAllowed, int code) {
    CommandRun run =
        allowed == null
            ? run("--config", path(candidate))
            : alsoAllowed == null
                ? run("--config", path(candidate), "--allow", allowed)
                : run("--config", path(candidate), "--allow", allowed, "--allow", alsoAllowed);

    assertThat(run.code()).as("%s", run).isEqualTo(code);
  }

  @Test
  void textTellsNumbersAndGroups() {
    CommandRun run = run("--config", path("candidate.yaml"));

    assertThat(run.out())
        .contains("newly-denied                2", "newly-allowed               1")
        .contains("forwarded to demo -> denied by policy: policy-forbids, error code -32003")
        .contains("the rules of then decide 3 calls as recorded");
  }

  @Test
  void signedReportIsVerifiedWithoutAServer() throws IOException {
    Path report = folder.resolve("report.txt");
    run("--config", path("candidate.yaml"), "-o", report.toString());
    String key = node.journal().verifier().text();
    Path edited = folder.resolve("edited.txt");
    String text = Files.readString(report, UTF_8);
    Files.writeString(edited, text.replace("\"newly-denied\":2", "\"newly-denied\":1"));

    CommandRun valid = offline("--verify", report.toString(), "--key", key);
    CommandRun wrong = offline("--verify", edited.toString(), "--key", key);
    CommandRun foreign = offline("--verify", report.toString(), "--key", OTHER_KEY);

    assertThat(valid.code()).as("%s", valid).isZero();
    assertThat(valid.out()).contains("signed by", "newly-denied                2");
    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).contains("the report was changed");
    assertThat(foreign.code()).isEqualTo(1);
    assertThat(foreign.err()).contains("not by the key that is trusted");
  }

  /** A key of C2SP's signed-note page. */
  private static final String OTHER_KEY =
      "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

  @Test
  void sampleIsTheSameEachTime() {
    CommandRun one = run("--config", path("candidate.yaml"), "--sample", "2");
    CommandRun two = run("--config", path("candidate.yaml"), "--sample", "2");

    assertThat(one.out()).contains("3 recorded, a sample of 2", "2 replayed");
    assertThat(two.out().lines().skip(2))
        .containsExactlyElementsOf(one.out().lines().skip(2).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          none.yaml      | cannot read
          broken.yaml    | candidate:1:9: 'schema' must be 1
          variable.yaml  | candidate:3:24: the environment variable NO_SUCH_VARIABLE is not set
          large.yaml     | the message is longer than 262144 bytes
          binary.yaml    | it is not UTF-8
          lacking.yaml   | candidate:4:20: an item of 'policies' names a file
          """)
  void candidateThatCannotBeReadGivesNoReport(String file, String sentence) throws IOException {
    Files.writeString(folder.resolve("broken.yaml"), "schema: 2\n");
    Files.writeString(
        folder.resolve("variable.yaml"), THEN.replace("{action: forward}", "${NO_SUCH_VARIABLE}"));
    Files.writeString(folder.resolve("large.yaml"), THEN + "#".repeat(10 << 20) + "\n");
    Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xC0, 0});
    Files.writeString(
        folder.resolve("lacking.yaml"), CANDIDATE.replace("mine.cedar", "missing.cedar"));

    CommandRun run = run("--config", path(file));

    assertThat(run.code()).as("%s", run).isEqualTo(1);
    assertThat(run.err()).contains(sentence);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          denied                   | is no change: use * or one of
          unchanged                | is no change
          ''                       | is no change
          newly-denied:rules       | is no gate: use *, visibility
          newly-denied:policy:[a   | is no pattern of targets
          """)
  void wrongPatternIsAUsageError(String pattern, String sentence) {
    CommandRun run = run("--config", path("same.yaml"), "--allow", pattern);

    assertThat(run.code()).as("%s", run).isEqualTo(2);
    assertThat(run.err()).contains("'%s'".formatted(last(pattern)), sentence);
  }

  private static String last(String pattern) {
    return pattern.substring(pattern.lastIndexOf(':') + 1);
  }

  @Test
  void eitherACandidateOrAReportIsGiven() {
    assertThat(run().code()).isEqualTo(2);
    assertThat(run("--config", path("same.yaml"), "--verify", "report.txt").code()).isEqualTo(2);
    assertThat(offline("--verify", path("none.txt"), "--key", OTHER_KEY).code()).isEqualTo(2);
  }

  @Test
  void numberOfTheSampleHasLimits() {
    assertThat(run("--config", path("same.yaml"), "--sample", "1").out()).contains("a sample of 1");
    assertThat(run("--config", path("same.yaml"), "--sample", "1000000").out())
        .contains("a sample of 3");
    for (String wrong : List.of("0", "1000001")) {
      CommandRun run = run("--config", path("same.yaml"), "--sample", wrong);
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.err()).contains("sample must be a whole number from 1 to 1000000");
    }
  }

  @Test
  void periodIsNotTheWrongWayRound() {
    CommandRun wrong = run("--config", path("same.yaml"), "--since", "1h", "--until", "2h");
    CommandRun empty = run("--config", path("candidate.yaml"), "--since", "2h", "--until", "1h");

    assertThat(wrong.code()).isEqualTo(1);
    assertThat(wrong.err()).contains("until is not after since");
    assertThat(empty.code()).as("%s", empty).isZero();
    assertThat(empty.out()).contains("read       nothing in that time", "0 recorded, 0 replayed");
  }

  @Test
  void reportIsCheckedUpToItsLimit() throws IOException {
    Path report = folder.resolve("limited.txt");
    run("--config", path("candidate.yaml"), "-o", report.toString());
    String key = node.journal().verifier().text();
    long size = Files.size(report);

    CommandRun within =
        offline("--verify", report.toString(), "--key", key, "--report-bytes-max", "" + size);
    CommandRun beyond =
        offline("--verify", report.toString(), "--key", key, "--report-bytes-max", "" + (size - 1));

    assertThat(within.code()).as("%s", within).isZero();
    assertThat(beyond.code()).isEqualTo(2);
    assertThat(beyond.err())
        .contains("more than %d bytes: raise --report-bytes-max".formatted(size - 1));
  }

  private static String path(String file) {
    return folder.resolve(file).toString();
  }

  private static CommandRun run(String... arguments) {
    return CommandRun.of(
        command(),
        List.of(
            "--url", "http://127.0.0.1:" + node.at(Port.ADMIN).port(), "--token", NodeCaller.ALICE),
        arguments);
  }

  private static CommandRun offline(String... arguments) {
    return CommandRun.of(command(), List.of(), arguments);
  }

  private static WhatIfCommand command() {
    return new WhatIfCommand(
        Map.of(),
        spec -> new ProgressOutput(spec.commandLine().getErr(), false, Duration.ofMillis(20)));
  }
}
