package gatebook.api.node.a2a;

import static gatebook.api.node.NodeCaller.ANN;
import static gatebook.api.node.NodeCaller.JOE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallReceived;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The meters and log lines of A2A: what each message and each stored task adds to them. */
final class A2aMetersOverHttpTest {
  private static final String ATTEMPTS = "gatebook_upstream_seconds_count";
  private static final String METERS = "gatebook_a2a_";
  private static final String UNKNOWN_TASK =
      "gb_01a209f98aa27000994d03b8d277c508d563eee9f7c37f1b6b72c1df27c3027e";

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private static final StubServer TOOLS =
      StubServer.each(peer ->
          peer.answer(
              200,
              StubServer.JSON,
              """
              {"jsonrpc":"2.0","id":%s,"result":{"isError":true,"content":[]}}\
              """
                  .formatted(peer.request().id())));

  private static final Map<A2aWireVersion, StubAgent> AGENTS =
      Map.of(A2aWireVersion.V03, new StubAgent(false), A2aWireVersion.V1, new StubAgent(true));

  private @Nullable WatchedNode started;
  private @Nullable StubAgent agent;
  private Map<String, Double> before = Map.of();

  private void start(A2aWireVersion spoken) throws IOException {
    agent = Objects.requireNonNull(AGENTS.get(spoken));
    agent.forget();
    started = NODES.shared(rules(agent));
    before = started.counted(METERS);
  }

  /** A node of the test, whose counters and rates are zero. */
  private void startOwn() throws IOException {
    agent = Objects.requireNonNull(AGENTS.get(A2aWireVersion.V1));
    started = NODES.own(rules(agent));
    before = started.counted(METERS);
  }

  private static String rules(StubAgent agent) {
    return """
    schema: 1
    sources:
      - {id: planner, kind: a2a, url: "%s", timeout: 20s}
      - {id: hasty, kind: a2a, url: "%s", timeout: 500ms}
      - {id: gone, kind: a2a, url: "http://127.0.0.1:1/agent"}
      - {id: tools, kind: mcp, prefix: tools_, url: "%s"}
      - {id: dead, kind: mcp, prefix: dead_, url: "http://127.0.0.1:1/mcp"}
      - {id: demo, kind: demo}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "skills/secret", action: deny}
        - {match: "delete_all", action: deny}
        - {match: "deploy", action: approve, approval: ops}
    approval:
      ops: {timeout: 10m}
    limits: {agent_card_wait_millis_max: 60000}
    """
            .formatted(agent.url(), agent.url(), TOOLS.url("/mcp"))
        + NodeCaller.people();
  }

  @AfterAll
  static void stop() throws IOException {
    for (StubAgent each : AGENTS.values()) {
      each.close();
    }
    TOOLS.close();
  }

  @Test
  void everyCounterIsShownFromZero() throws IOException {
    startOwn();

    assertThat(before.values()).containsOnly(0.0);
    assertThat(before).hasSize(5 * 4 + 8).containsAllEntriesOf(zeros("messages_total{result=%s}"));
    assertThat(before)
        .containsKeys(
            operation("create", "success"),
            operation("get", "not_found"),
            operation("follow", "error"),
            operation("cancel", "conflict"),
            operation("end", "success"));
  }

  private static Map<String, Double> zeros(String counter) {
    return Arrays.stream(
            new String[] {
              "success",
              "failed_task",
              "denied",
              "error",
              "transport_failure",
              "canceled",
              "abandoned"
            })
        .collect(toMap(it -> METERS + counter.formatted("\"" + it + "\""), _ -> 0.0));
  }

  @ParameterizedTest
  @EnumSource
  void taskOfTheBuiltInAgentIsCountedOnce(A2aWireVersion version) throws IOException {
    start(version);

    NodeReply sent = send(version, version.skillMessage("echo", "{}", true));

    assertThat(version.task(sent.result()).at("/status/state").asText())
        .isEqualTo(version.state("completed"));
    expect(message("success"), operation("create", "success"), operation("end", "success"));
    assertThat(errorLines(sent.correlationId())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void taskThatFailsHasItsIdInTheLine(A2aWireVersion version) throws IOException {
    start(version);

    NodeReply sent = send(version, version.skillMessage("dead_tool", "{}", true));

    assertThat(version.task(sent.result()).at("/status/state").asText())
        .isEqualTo(version.state("failed"));
    expect(
        message("transport_failure"), operation("create", "success"), operation("end", "success"));
    assertThat(errorLines(sent.correlationId()))
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .containsEntry("task_id", callId(sent).toString())
                .containsEntry("operation", "SendMessage")
                .containsEntry("method", version.send)
                .containsEntry("error", "Internal error")
                .containsEntry("fault", "UpstreamConnectionFailed"));
  }

  @ParameterizedTest
  @EnumSource
  void toolThatReportsFailureIsFailedTask(A2aWireVersion version) throws IOException {
    start(version);

    NodeReply sent = send(version, version.skillMessage("tools_any", "{}", true));

    assertThat(version.task(sent.result()).at("/status/state").asText())
        .isEqualTo(version.state("failed"));
    expect(message("failed_task"), operation("create", "success"), operation("end", "success"));
    assertThat(errorLines(sent.correlationId())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void deniedMessageIsNoStoredTask(A2aWireVersion version) throws IOException {
    start(version);

    NodeReply sent = send(version, version.skillMessage("delete_all", "{}", true));

    assertThat(sent.error()).startsWith("-32004 ");
    expect(message("denied"));
    expectLine(sent, "SendMessage", null);
  }

  @ParameterizedTest
  @CsvSource({"V03,true", "V1,true", "V03,false", "V1,false"})
  void decisionEndsTheHeldTask(A2aWireVersion version, boolean approved) throws IOException {
    start(version);
    NodeReply sent = send(version, version.skillMessage("deploy", "{\"version\":\"1\"}", false));
    assertThat(version.task(sent.result()).at("/status/state").asText())
        .isEqualTo(version.state("submitted"));
    expect(operation("create", "success"));

    node().decide(sent.correlationId(), approved, "because");

    await()
        .untilAsserted(() ->
            expect(
                message(approved ? "success" : "denied"),
                operation("create", "success"),
                operation("end", "success")));
  }

  @ParameterizedTest
  @EnumSource
  void cancelledTaskIsNoFailure(A2aWireVersion version) throws IOException {
    start(version);
    NodeReply sent = send(version, version.skillMessage("deploy", "{\"version\":\"1\"}", false));
    String id = version.task(sent.result()).path("id").asText();

    assertThat(onTask(version.path(), version.cancel, id, JOE).result().at("/status/state"))
        .hasToString("\"%s\"".formatted(version.state("canceled")));

    await()
        .untilAsserted(() ->
            expect(
                message("canceled"),
                operation("create", "success"),
                operation("cancel", "success")));
    assertThat(errorLines(sent.correlationId())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void endedTaskIsReadAndNotCancelled(A2aWireVersion version) throws IOException {
    start(version);
    NodeReply sent = send(version, version.skillMessage("echo", "{}", true));
    String id = version.task(sent.result()).path("id").asText();
    await()
        .untilAsserted(() ->
            expect(
                message("success"), operation("create", "success"), operation("end", "success")));
    before = node().counted(METERS);

    assertThat(onTask(version.path(), version.get, id, JOE).result().path("id").asText())
        .isEqualTo(id);
    expect(operation("get", "success"));
    before = node().counted(METERS);
    NodeReply cancelled = onTask(version.path(), version.cancel, id, JOE);

    assertThat(cancelled.error()).startsWith("-32002 ");
    expect(operation("cancel", "conflict"));
    expectLine(cancelled, "CancelTask", callId(sent).toString());
  }

  @ParameterizedTest
  @EnumSource
  void tasksThatAreNotThereAreNotFound(A2aWireVersion version) throws IOException {
    start(version);

    for (Map.Entry<String, List<String>> method :
        Map.of(
                "get", List.of(version.get, "GetTask"),
                "cancel", List.of(version.cancel, "CancelTask"))
            .entrySet()) {
      before = node().counted(METERS);
      NodeReply reply = onTask(version.path(), method.getValue().getFirst(), UNKNOWN_TASK, JOE);

      assertThat(reply.error()).startsWith("-32001 ");
      expect(operation(method.getKey(), "not_found"));
      expectLine(reply, method.getValue().getLast(), "01a209f9-8aa2-7000-994d-03b8d277c508");
    }
  }

  @ParameterizedTest
  @EnumSource
  void streamCountsEachChangeThatItFollows(A2aWireVersion version) throws IOException {
    start(version);

    assertThat(
            node()
                .joe()
                .raw(
                    version.path(),
                    "stream-" + version,
                    NodeCaller.request(version.stream, version.skillMessage("echo", "{}")))
                .body())
        .contains(version.state("completed"));

    expect(
        message("success"),
        operation("create", "success"),
        operation("follow", "success"),
        operation("end", "success"));
  }

  @ParameterizedTest
  @CsvSource({
    "V03,plan,success,success,false,result",
    "V1,plan,success,success,false,result",
    "V03,break,failed_task,success,false,result",
    "V1,break,failed_task,success,false,result",
    "V03,fail,error,,true,error",
    "V1,fail,error,,true,error",
    "V03,garbage,transport_failure,,true,no-answer",
    "V03,status 503,transport_failure,,true,unavailable",
    "V1,status 429,transport_failure,,true,rate-limited",
    "V1,garbage,transport_failure,,true,no-answer",
    "V03,hang,transport_failure,,true,timeout",
    "V1,hang,transport_failure,,true,timeout",
    "V03,steal,transport_failure,conflict,true,result",
    "V1,steal,transport_failure,conflict,true,result"
  })
  void messageToAnAgentIsCountedByItsOutcome(
      A2aWireVersion version,
      String text,
      String result,
      @Nullable String create,
      boolean isLogged,
      String attempt)
      throws IOException {
    start(version);
    if (text.equals("steal")) {
      JsonNode _ =
          node()
              .as(ANN)
              .post(version.path("planner"), version.send, version.textMessage("plan", ""))
              .result();
      before = node().counted(METERS);
    }
    String source = text.equals("hang") ? "hasty" : "planner";
    Map<String, Double> attempts = node().counted(ATTEMPTS);

    NodeReply sent =
        node().as(JOE).post(version.path(source), version.send, version.textMessage(text, ""));

    assertThat(increments(source, attempts)).isEqualTo(Map.of(attempts(source, attempt), 1.0));
    if (create == null) {
      expect(message(result));
    } else {
      expect(message(result), operation("create", create));
    }
    if (isLogged) {
      expectLine(sent, "SendMessage", null);
    } else {
      assertThat(errorLines(sent.correlationId())).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void agentThatIsNotThereIsTransportFailure(A2aWireVersion version) throws IOException {
    start(version);
    Map<String, Double> attempts = node().counted(ATTEMPTS);

    NodeReply sent =
        node().as(JOE).post(version.path("gone"), version.send, version.textMessage("plan", ""));

    expect(message("transport_failure"));
    expectLine(sent, "SendMessage", null);
    assertThat(increments("gone", attempts))
        .isEqualTo(Map.of(attempts("gone", "not-connected"), 4.0));
  }

  @ParameterizedTest
  @EnumSource
  void requestsAboutTasksOfAgentsReadTheirOwners(A2aWireVersion version) throws IOException {
    start(version);
    JsonNode _ =
        node()
            .as(JOE)
            .post(version.path("planner"), version.send, version.textMessage("plan", ""))
            .result();
    before = node().counted(METERS);

    assertThat(onTask(version.path("planner"), version.get, task(), JOE).result()).isNotEmpty();
    expect(operation("get", "success"));
    before = node().counted(METERS);
    NodeReply foreign = onTask(version.path("planner"), version.get, task(), ANN);

    assertThat(foreign.error()).startsWith("-32001 ");
    expect(operation("get", "not_found"));
    expectLine(foreign, "GetTask", task());
  }

  @ParameterizedTest
  @EnumSource
  void cancelAtAnAgentIsCountedAsOne(A2aWireVersion version) throws IOException {
    start(version);
    JsonNode _ =
        node()
            .as(JOE)
            .post(version.path("planner"), version.send, version.textMessage("plan", ""))
            .result();
    before = node().counted(METERS);

    onTask(version.path("planner"), version.cancel, task(), JOE).result();
    expect(operation("cancel", "success"));
    before = node().counted(METERS);
    NodeReply foreign = onTask(version.path("planner"), version.cancel, task(), ANN);

    assertThat(foreign.error()).startsWith("-32001 ");
    expect(operation("cancel", "not_found"));
    before = node().counted(METERS);
    assertThat(
            node()
                .as(JOE)
                .post(
                    version.path("planner"),
                    version.cancel,
                    "{\"id\":\"T\",\"metadata\":{\"taskId\":\"T\",\"x\":[{\"task_id\":\"T\"}]}}"
                        .replace("\"T\"", "\"%s\"".formatted(task())))
                .result())
        .isNotEmpty();
    expect(operation("cancel", "success"));
  }

  @ParameterizedTest
  @EnumSource
  void callerThatDisconnectsAbandonsItsMessage(A2aWireVersion version) throws IOException {
    start(version);
    byte[] body = NodeCaller.request(version.send, version.textMessage("hang", "")).getBytes(UTF_8);
    ListenAddress at = node().at(Port.CALLERS);
    try (Socket socket = new Socket(at.host(), at.port())) {
      socket
          .getOutputStream()
          .write(
              "POST %s HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                  .formatted(version.path("planner"), at.port(), JOE, body.length)
                  .getBytes(UTF_8));
      socket.getOutputStream().write(body);
      await().until(() -> !Objects.requireNonNull(agent).requests.isEmpty());
    }

    await().untilAsserted(() -> expect(message("abandoned")));
  }

  @Test
  void errorsAreRatedByAgentAndSkill() throws IOException {
    startOwn();
    A2aWireVersion version = A2aWireVersion.V1;
    for (String skill : List.of("route", "secret")) {
      NodeReply _ =
          node()
              .as(JOE)
              .post(
                  version.path("planner"),
                  version.send,
                  version.textMessage(
                      "fail", ",\"metadata\":{\"skillId\":\"%s\"}".formatted(skill)));
    }
    NodeReply _ =
        node().as(JOE).post(version.path("gone"), version.send, version.textMessage("plan", ""));
    NodeReply _ = send(version, version.skillMessage("delete_all", "{}", true));
    NodeReply _ = send(version, version.skillMessage("dance", "{}", true));

    JsonNode groups =
        node()
            .operator(NodeCaller.ALICE, "audit.errors", "{\"by\":[\"agent\",\"skill\",\"code\"]}")
            .at("/result/groups");

    assertThat(groups)
        .extracting(group ->
            String.join(
                " ",
                group.path("agent").asText("built-in"),
                group.path("skill").asText("none"),
                group.path("code").asText(),
                group.path("lastHour").asText()))
        .containsExactlyInAnyOrder(
            "planner route -32603 1",
            "planner secret -32004 1",
            "gone none -32603 1",
            "built-in delete_all -32004 1",
            "built-in dance -32602 1");
  }

  @Test
  void taskThatTheJournalDoesNotStoreIsAnError() throws IOException {
    startOwn();
    node().journal().close();

    NodeReply sent = send(A2aWireVersion.V1, A2aWireVersion.V1.skillMessage("echo", "{}", true));

    assertThat(sent.status()).isEqualTo(503);
    expect(message("error"), operation("create", "error"));
    expectLine(sent, "SendMessage", null);
  }

  private NodeReply send(A2aWireVersion version, String params) throws IOException {
    return node().as(JOE).post(version.path(), version.send, params);
  }

  private NodeReply onTask(String path, String method, String id, String token) throws IOException {
    return node().as(token).post(path, method, "{\"id\":\"%s\"}".formatted(id));
  }

  private UUID callId(NodeReply reply) {
    return ((CallReceived) node().events(reply.correlationId()).getFirst()).callId();
  }

  /** Each of these counters has one more than before, and no other has. */
  private void expect(String... counters) throws IOException {
    assertThat(node().increments(METERS, before))
        .isEqualTo(Arrays.stream(counters).collect(toMap(it -> it, _ -> 1.0)));
  }

  /** The one line about an error has what was done, to which task, and what the caller got. */
  private void expectLine(NodeReply reply, String operation, @Nullable String taskId) {
    assertThat(errorLines(reply.correlationId()))
        .singleElement()
        .satisfies(line -> {
          assertThat(line.get("operation")).isEqualTo(operation);
          assertThat(line.get("error")).isEqualTo(reply.response().at("/error/message").asText());
          assertThat(line.get("task_id")).isEqualTo(taskId);
        });
  }

  private List<Map<String, Object>> errorLines(String correlationId) {
    return node().lines(correlationId).stream().filter(line -> line.containsKey("fault")).toList();
  }

  /** The attempts at a source; a node lists the tools of others in between. */
  private Map<String, Double> increments(String source, Map<String, Double> before)
      throws IOException {
    return node().increments(ATTEMPTS, before).entrySet().stream()
        .filter(entry -> entry.getKey().contains("source=\"%s\"".formatted(source)))
        .collect(toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static String attempts(String source, String outcome) {
    return ATTEMPTS + "{outcome=\"%s\",source=\"%s\"}".formatted(outcome, source);
  }

  private static String message(String result) {
    return METERS + "messages_total{result=\"%s\"}".formatted(result);
  }

  private static String operation(String operation, String result) {
    return METERS
        + "store_operations_total{operation=\"%s\",result=\"%s\"}".formatted(operation, result);
  }

  /** The first task of the agent in this test. */
  private String task() {
    return Objects.requireNonNull(agent).task(1);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
