package gatebook.api.node.operator;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.OperatorActed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What-ifs of a whole node over its recorded calls. */
@Timeout(300)
final class WhatIfTest {

  /** The token of an operator with the role {@code view} alone. */
  private static final String VIEWER = "operator-viewer-0123456789";

  /** The token of an operator with the role {@code arguments} alone. */
  private static final String READER = "operator-reader-0123456789";

  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static String rules(String governance, String principals) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance: {defaults: {action: forward}, rules: [%s]}
    approval: {people: {timeout: 10m}}
    principals: [%s]
    operators:
      - {name: alice, token_hash: "%s", roles: [view, arguments, approve, admin]}
      - {name: viewer, token_hash: "%s", roles: [view]}
      - {name: reader, token_hash: "%s", roles: [arguments]}
    """
        .formatted(governance, principals, hash(NodeCaller.ALICE), hash(VIEWER), hash(READER));
  }

  private static String joe(String attributes) {
    return "{name: joe, token_hash: \"%s\"%s}".formatted(hash(NodeCaller.JOE), attributes);
  }

  @Test
  void changesAreCountedAndGrouped() throws IOException {
    WatchedNode node = NODES.own(rules("{match: drop, action: deny}", joe("")));
    node.caller().send("/mcp", "a", toolCall("drop"));
    node.caller().send("/mcp", "b", toolCall("echo"));
    node.caller().send("/mcp", "c", toolCall("echo"));
    node.caller().send("/mcp", "d", toolCall("sum"));
    node.joe().send("/mcp", "e", toolCall("sum"));

    JsonNode status =
        whatIf(
            node,
            NodeCaller.ALICE,
            rules(
                "{match: echo, action: deny}, {match: s*, action: approve, approval: people}", ""));

    JsonNode report = status.path("report");
    assertThat(report.path("calls"))
        .isEqualTo(JSON.readTree("{\"recorded\":5,\"decided\":5,\"replayed\":5}"));
    assertThat(report.path("changes"))
        .isEqualTo(
            JSON.readTree(
                """
                {"unchanged":0,"newly-denied":3,"newly-allowed":1,"newly-asked":1,
                 "no-longer-asked":0,"refused-otherwise":0,"rerouted":0}
                """));
    assertThat(report.path("selfCheck").path("agrees").asInt()).isEqualTo(5);
    JsonNode first = report.path("groups").path(0);
    assertThat(first.path("change").asText()).isEqualTo("newly-denied");
    assertThat(first.path("before").asText()).isEqualTo("forwarded to demo");
    assertThat(first.path("after").asText()).isEqualTo("denied by governance: rule");
    assertThat(first.path("rule").asText()).isEqualTo("rule 1: echo");
    assertThat(first.path("code").asInt()).isEqualTo(-32014);
    assertThat(first.path("count").asInt()).isEqualTo(2);
    assertThat(first.path("examples")).hasSize(2);
    assertThat(report.path("groups"))
        .anySatisfy(group -> {
          assertThat(group.path("principal").asText()).isEqualTo("joe");
          assertThat(group.path("after").asText()).isEqualTo("unservable: Unauthorized");
        });
  }

  @Test
  void rulesInForceChangeNothing() throws IOException {
    String rules = rules("{match: d*, action: approve, approval: people}", joe(", roles: [dev]"));
    WatchedNode node = NODES.own(rules);
    CompletableFuture<RawHttp.Answer> yes = node.hold("yes", toolCall("deploy"));
    node.decide("yes", true, "go");
    yes.join();
    CompletableFuture<RawHttp.Answer> no = node.hold("no", toolCall("drop"));
    node.decide("no", false, "stop");
    no.join();
    node.joe().rpc("tools/call", "{\"name\":\"echo\",\"arguments\":{}}");
    node.joe().rpc("nothing", "{}");
    node.caller().mcp("tools/list", "{}");

    JsonNode report = whatIf(node, NodeCaller.ALICE, rules).path("report");

    assertThat(report.path("changes").path("unchanged").asInt()).as("%s", report).isEqualTo(5);
    assertThat(report.path("groups")).isEmpty();
    assertThat(report.path("notReplayable")).isEmpty();
    assertThat(report.path("rulesThen").path(0)).isEqualTo(report.path("candidate"));
  }

  @Test
  void runOfATaskIsDecidedAgain() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));
    node.caller()
        .flow(
            "tasks.execute",
            """
            {"wait":true,"tasks":[{"id":"11111111-1111-4111-8111-111111111111","name":"a",
             "schemas":{"method":"echo"},"inputs":{"n":1}}]}
            """)
        .result();

    JsonNode report =
        whatIf(node, NodeCaller.ALICE, rules("{match: echo, action: deny}", "")).path("report");

    assertThat(report.path("changes").path("newly-denied").asInt()).isEqualTo(1);
    assertThat(report.path("changes").path("unchanged").asInt()).isEqualTo(1);
    assertThat(report.path("selfCheck").path("agrees").asInt()).isEqualTo(2);
    assertThat(report.at("/groups/0/code").asInt()).isEqualTo(-32004);
  }

  @Test
  void callsWithoutTheirContentAreNotReplayable() throws IOException {
    WatchedNode node = NODES.own(rules("", joe("")));
    node.joe().send("/mcp", "a", toolCall("echo", "{\"amount\":7}"));
    node.caller().send("/mcp", "b", toolCall("echo", "{\"amount\":7}"));
    node.erase("joe");
    ObjectNode params = JSON.createObjectNode();
    params.put(
        "text",
        rules("{match: echo, action: policy, policy_id: p}", joe(""))
            + "cedar: {policies: [p.cedar]}\n");
    params.putObject("files").put("p.cedar", "permit (principal, action, resource);");

    JsonNode report = whatIf(node, NodeCaller.ALICE, params).path("report");

    assertThat(report.path("changes").path("unchanged").asInt()).isEqualTo(1);
    assertThat(report.at("/notReplayable/0/reason").asText()).isEqualTo("erased");
    assertThat(report.at("/notReplayable/0/count").asInt()).isEqualTo(1);
  }

  @Test
  void groupsBeyondTheLimitAreCounted() throws IOException {
    WatchedNode node = NODES.own(rules("", "") + "limits: {whatif_groups_max: 1}\n");
    for (String tool : List.of("echo", "echo", "sum", "drop")) {
      node.caller().mcp("tools/call", "{\"name\":\"%s\"}".formatted(tool));
    }

    JsonNode report =
        whatIf(node, NodeCaller.ALICE, rules("{match: '*', action: deny}", "")).path("report");

    assertThat(report.path("groups")).hasSize(1);
    assertThat(report.at("/groups/0/target").asText()).isEqualTo("echo");
    assertThat(report.at("/leftOut/calls")).isEqualTo(JSON.readTree("{\"newly-denied\":2}"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 0"})
  void callsOpenBeyondTheLimitAreNotReplayable(int openMax, int notReplayable) throws IOException {
    String rules = rules("{match: d*, action: approve, approval: people}", "");
    WatchedNode node =
        NODES.own(rules + "limits: {whatif_open_calls_max: %d}%n".formatted(openMax));
    CompletableFuture<RawHttp.Answer> held = node.hold("held", toolCall("deploy"));
    node.caller().mcp("tools/call", "{\"name\":\"echo\"}");
    node.decide("held", true, "go");
    held.join();

    JsonNode report = whatIf(node, NodeCaller.ALICE, rules).path("report");

    assertThat(report.path("notReplayable")).hasSize(notReplayable);
    assertThat(report.path("changes").path("unchanged").asInt()).isEqualTo(2 - notReplayable);
    assertThat(report.at("/notReplayable/0/reason").asText("open-calls")).isEqualTo("open-calls");
  }

  @Test
  void whatIfThatHasEndedIsNotCancelled() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));
    whatIf(node, NodeCaller.ALICE, rules("", ""));

    assertThat(node.operator(NodeCaller.ALICE, "audit.cancelWhatif", "{}").at("/result/cancelled"))
        .isEqualTo(JSON.readTree("false"));
  }

  @Test
  void roleIsRequiredAndStartIsRecorded() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));

    assertThat(start(node, VIEWER, rules("", "")).at("/error/data/reason").asText())
        .isEqualTo("not-permitted");
    whatIf(node, READER, rules("", ""));

    assertThat(node.events().stream().filter(OperatorActed.class::isInstance))
        .anySatisfy(event -> {
          OperatorActed acted = (OperatorActed) event;
          assertThat(acted.method()).isEqualTo("audit.whatif");
          assertThat(acted.operator()).isEqualTo("reader");
          assertThat(String.valueOf(acted.params())).contains("hmac").doesNotContain("schema");
        });
  }

  @Test
  void progressIsNotRecordedAndTheReportIs() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));
    node.caller().send("/mcp", "a", toolCall("echo"));
    assertThat(start(node, NodeCaller.ALICE, rules("", "")).has("result")).isTrue();
    List<String> states = new ArrayList<>();
    do {
      states.add(status(node, NodeCaller.ALICE).path("state").asText());
    } while (states.getLast().equals("running"));

    assertThat(states.getLast()).isEqualTo("done");
    assertThat(node.events().stream().filter(OperatorActed.class::isInstance))
        .extracting(event -> ((OperatorActed) event).method())
        .containsExactly("audit.whatif", "audit.whatifStatus");
  }

  @Test
  void mistakesOfACandidateNameNoPathOfTheNode() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));
    String broken =
        rules("{match: echo, action: allow}", "") + "cedar: {policies: [there.cedar, p.cedar]}\n";
    ObjectNode params = JSON.createObjectNode().put("text", broken);
    params.putObject("files").put("p.cedar", "permit;");

    for (String token : List.of(READER, NodeCaller.ALICE)) {
      assertThat(
              node.operator(token, "audit.whatif", params.toString()).at("/error/message").asText())
          .contains("candidate:3:", "candidate:10:", "p.cedar:1:")
          .doesNotContain("/");
    }
  }

  @Test
  void candidateOfAReaderReadsNothingOfTheNode() throws IOException {
    WatchedNode node = NODES.own(rules("", ""));
    String reading = rules("{match: \"${PATH}\", action: deny}", "");

    assertThat(start(node, READER, reading).at("/error/message").asText()).contains("PATH");
    assertThat(start(node, NodeCaller.ALICE, reading).has("result")).isTrue();
  }

  /** Starts a what-if, waits for its end, and returns its status. */
  private static JsonNode whatIf(WatchedNode node, String token, String candidate)
      throws IOException {
    return whatIf(node, token, JSON.createObjectNode().put("text", candidate));
  }

  private static JsonNode whatIf(WatchedNode node, String token, ObjectNode params)
      throws IOException {
    JsonNode started = node.operator(token, "audit.whatif", params.toString());
    assertThat(started.at("/result/state").asText()).as("%s", started).isEqualTo("running");
    await().until(() -> !status(node, token).path("state").asText().equals("running"));
    JsonNode status = status(node, token);
    assertThat(status.path("state").asText()).as("%s", status).isEqualTo("done");
    return status;
  }

  private static JsonNode status(WatchedNode node, String token) throws IOException {
    return node.operator(token, "audit.whatifStatus", "{}").path("result");
  }

  private static JsonNode start(WatchedNode node, String token, String candidate)
      throws IOException {
    return node.operator(
        token, "audit.whatif", JSON.createObjectNode().put("text", candidate).toString());
  }
}
