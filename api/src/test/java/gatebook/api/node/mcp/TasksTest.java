package gatebook.api.node.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.RawHttp;
import gatebook.api.node.KeysOnDisk;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.ResultKept;
import gatebook.events.TaskCreated;
import gatebook.events.call.DenialReason;
import gatebook.events.fault.TaskFault.TaskCancelled;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls for approval as tasks, whose callers fetch the result later. */
@Order(1)
@Timeout(300)
final class TasksTest {

  private static final String[] AS_JOE = {"Authorization: Bearer " + NodeCaller.JOE};
  private static final String[] AS_ANN = {"Authorization: Bearer " + NodeCaller.ANN};

  private final JsonMapper json = new JsonMapper();
  @RegisterExtension static final TestNodes NODES = new TestNodes();
  @TempDir private Path folder;
  private @Nullable WatchedNode started;

  private void start(String more) throws IOException {
    started = NODES.shared(rules(more));
  }

  /** A node that no other test shares, whose data outlast a restart. */
  private void startAlone() throws IOException {
    started = NODES.own(folder, rules(""));
  }

  private static String rules(String more) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules:
        - {match: "deploy", action: approve, approval: ops}
        - {match: "echo", action: approve, approval: ops}
        - {match: "transfer", action: approve, approval: hasty}
    approval:
      ops: {timeout: 10m}
      hasty: {timeout: 5s}
    %s
    """
        .formatted(NodeCaller.people() + more);
  }

  @Test
  void taskIsReturnedWhenDurableAndItsResultFetchedLater() throws IOException {
    start("");
    JsonNode task = result(post("c", task("deploy"), AS_JOE)).path("task");

    assertThat(names("c")).containsExactly("CallReceived", "ApprovalRequested", "TaskCreated");
    TaskCreated created = (TaskCreated) node().events("c").getLast();
    ApprovalRequested asked = (ApprovalRequested) node().events("c").get(1);
    assertThat(created.form()).isEqualTo(TaskCreated.Form.TASK);
    assertThat(asked.taskId()).isEqualTo(created.taskId());
    assertThat(asked.heldUntil()).isNull();
    assertThat(((CallReceived) node().events("c").getFirst()).taskId()).isEqualTo(created.taskId());
    assertThat(task)
        .isEqualTo(
            json.createObjectNode()
                .put("taskId", created.taskId())
                .put("status", "working")
                .put("statusMessage", "waits for approval until " + asked.deadline())
                .put("createdAt", created.createdAt().toString())
                .put("lastUpdatedAt", created.createdAt().toString())
                .put("ttl", 4_200_000)
                .put("pollInterval", 10_000));

    CompletableFuture<RawHttp.Answer> result = later("r", about("tasks/result", created), AS_JOE);
    node().decide("c", true, "fine");

    assertThat(result(result.join()))
        .isEqualTo(
            json.readTree(
                """
                {"content":[{"type":"text","text":"done, if this were not a demo: {}"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"%s"}}}\
                """
                    .formatted(created.taskId())));
    assertThat(names("c"))
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "TaskCreated",
            "ApprovalGranted",
            "CallAdmitted",
            "CallForwarded",
            "ResultKept",
            "CallAnswered");
    assertThat(names("r")).containsExactly("CallReceived", "CallAdmitted", "CallAnswered");
    assertThat(state(created, AS_JOE)).isEqualTo("completed the tool has answered");
    assertThat(node().stored())
        .as("what was answered is stored, and cannot be read")
        .noneMatch(it -> it.contains("if this were not"));
  }

  @Test
  void rejectionEndsTheTaskLikeAHeldCall() throws IOException {
    startAlone();
    TaskCreated task = created("c", task("deploy"), AS_JOE);

    Map<String, Double> before = node().counted();
    node().decide("c", false, "too risky");
    await().until(() -> names("c").contains("ErrorTranslated"));

    assertThat(node().increments(before))
        .isEqualTo(
            Map.of(
                "thoughtgate_errors_total{category=\"client\",code=\"-32007\",gate=\"approval\"}",
                1.0,
                "thoughtgate_gate_denials_total{gate=\"approval\",reason=\"%s\"}"
                    .formatted(DenialReason.REJECTED.word()),
                1.0));
    assertThat(state(task, AS_JOE)).startsWith("failed ");
    assertThat(post("r", about("tasks/result", task), AS_JOE).body())
        .contains("\"code\":-32007", "\"correlation_id\":\"r\"");
    assertThat(node().lines("c"))
        .filteredOn(line -> line.containsKey("fault"))
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .containsAllEntriesOf(
                    Map.of(
                        "message", "Approval rejected",
                        "task_id", task.callId().toString(),
                        "source", "demo",
                        "tool", "deploy",
                        "principal", "joe",
                        "rejected_by", "alice",
                        "reason", "too risky")));
  }

  @Test
  void errorRequestedThreeTimesIsOneError() throws IOException {
    startAlone();
    TaskCreated task = created("c", task("deploy"), AS_JOE);
    node().decide("c", false, "too risky");
    await().until(() -> names("c").contains("ErrorTranslated"));

    Map<String, Double> before = node().counted();
    for (String poll : List.of("p1", "p2", "p3")) {
      assertThat(post(poll, about("tasks/result", task), AS_JOE).body())
          .contains("\"code\":-32007");
      assertThat(node().events(poll).getLast())
          .isInstanceOfSatisfying(
              ErrorTranslated.class,
              error -> assertThat(error.firstToldTo()).isEqualTo(task.callId()));
      assertThat(node().lines(poll))
          .filteredOn(line -> line.containsKey("fault"))
          .extracting(line -> line.get("level") + " " + line.get("first_told_to"))
          .containsExactly("info " + task.callId());
    }

    assertThat(node().increments(before)).isEmpty();
    assertThat(node().operator(NodeCaller.ALICE, "audit.errors", "{}").at("/result/groups"))
        .extracting(group -> group.path("fault").asText() + " " + group.path("count"))
        .containsExactly("ApprovalRejected 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks/get", "tasks/result", "tasks/cancel"})
  void missingAndForeignTasksGetTheSameError(String method) throws IOException {
    start("");
    String others = created("c", task("deploy"), AS_JOE).taskId();
    String unknown = others.substring(0, others.length() - 8) + "00000000";

    for (String id : List.of(others, unknown, "made-up")) {
      node()
          .provoke(id.substring(id.length() - 6), about(method, id), AS_ANN)
          .expect(new TaskNotFound(id), "CallReceived", "CallAdmitted", "ErrorTranslated");
    }
    assertThat(names("c")).containsExactly("CallReceived", "ApprovalRequested", "TaskCreated");
  }

  @Test
  void cancelledTaskIsNeverForwarded() throws IOException {
    start("");
    TaskCreated task = created("c", task("deploy"), AS_JOE);

    assertThat(result(post("x", about("tasks/cancel", task), AS_JOE)).path("status").asText())
        .isEqualTo("cancelled");

    assertThat(names("c"))
        .containsExactly("CallReceived", "ApprovalRequested", "TaskCreated", "CallAbandoned");
    assertThat(((CallAbandoned) node().events("c").getLast()).cause())
        .isEqualTo(CallAbandoned.Cause.CANCELLED);
    assertThat(state(task, AS_JOE)).isEqualTo("cancelled cancelled");
    node()
        .provoke("r", about("tasks/result", task), AS_JOE)
        .expect(
            new TaskCancelled(task.taskId()), "CallReceived", "CallAdmitted", "ErrorTranslated");
  }

  @Test
  void cancelledOrExpiredTaskRequestedThreeTimesIsOneError() throws IOException {
    startAlone();
    TaskCreated cancelled = created("c", task("deploy"), AS_JOE);
    assertThat(post("x", about("tasks/cancel", cancelled), AS_JOE).status()).isEqualTo(200);
    TaskCreated expired =
        created("e", task("transfer").replace("\"task\":{}", "\"task\":{\"ttl\":5001}"), AS_JOE);
    await()
        .until(() -> post("f", about("tasks/get", expired), AS_JOE).body().contains("\"error\""));

    Map<String, Double> before = node().counted();
    expectRepeated(cancelled, "-32006", "r1", "r1", "r2", "r3");
    expectRepeated(expired, "-32005", "f", "p1", "p2", "p3");

    assertThat(node().increments(before))
        .isEqualTo(
            Map.of("thoughtgate_errors_total{category=\"client\",code=\"-32006\",gate=\"\"}", 1.0));
    assertThat(node().operator(NodeCaller.ALICE, "audit.errors", "{}").at("/result/groups"))
        .extracting(group -> group.path("fault").asText() + " " + group.path("count"))
        .contains("TaskCancelled 1", "TaskExpired 1");
  }

  /** Polls a task; every poll but the first names the call that got the error first. */
  private void expectRepeated(TaskCreated task, String code, String first, String... polls)
      throws IOException {
    for (String poll : polls) {
      assertThat(post(poll, about("tasks/result", task), AS_JOE).body())
          .contains("\"code\":" + code);
      UUID firstCall =
          poll.equals(first)
              ? null
              : node().events(first).getLast() instanceof ErrorTranslated error
                  ? error.callId()
                  : null;
      assertThat(((ErrorTranslated) node().events(poll).getLast()).firstToldTo())
          .isEqualTo(firstCall);
    }
  }

  @Test
  void endedTaskCannotBeCancelled() throws IOException {
    start("");
    TaskCreated task = created("c", task("deploy"), AS_JOE);
    node().decide("c", true, "fine");
    await().until(() -> names("c").contains("CallAnswered"));

    assertThat(post("x", about("tasks/cancel", task), AS_JOE).body()).contains("\"code\":-32602");
    assertThat(names("c")).doesNotContain("CallAbandoned");
  }

  @Test
  void taskWithShortTtlEndsWithItsApprovalsTimeout() throws IOException {
    start("");
    String body = task("transfer").replace("\"task\":{}", "\"task\":{\"ttl\":1}");
    TaskCreated task = created("c", body, AS_JOE);
    assertThat(task.ttlMillis()).isEqualTo(5_000);

    await().until(() -> Instant.now().isAfter(task.createdAt().plusMillis(task.ttlMillis())));

    assertThat(post("r", about("tasks/result", task), AS_JOE).body())
        .contains("\"code\":-32008", "Approval timeout for tool 'transfer' after 5s");
    assertThat(state(task, AS_JOE)).startsWith("failed ");
  }

  @Test
  void taskSurvivesARestartAndIsForwardedOnceApproved() throws IOException {
    startAlone();
    TaskCreated waiting = created("c", task("deploy"), AS_JOE);
    TaskCreated done = created("d", task("deploy"), AS_JOE);
    node().decide("d", true, "fine");
    await().until(() -> names("d").contains("CallAnswered"));
    node().close();

    startAlone();
    assertThat(state(waiting, AS_JOE)).startsWith("working waits for approval until ");
    assertThat(result(post("r", about("tasks/result", done), AS_JOE)).path("content").isArray())
        .isTrue();
    CompletableFuture<RawHttp.Answer> result = later("s", about("tasks/result", waiting), AS_JOE);
    node().decide("c", true, "late");

    assertThat(result(result.join()).path("content").path(0).path("text").asText())
        .isEqualTo("done, if this were not a demo: {}");
    assertThat(node().events("c").stream().filter(CallForwarded.class::isInstance)).hasSize(1);
    assertThat(names("c")).endsWith("ResultKept", "CallAnswered");
  }

  @Test
  void unreadableTaskIsClosed() throws IOException {
    startAlone();
    TaskCreated task = created("c", task("deploy"), AS_JOE);
    node().close();
    KeysOnDisk.delete(folder.resolve("data"));

    startAlone();

    await().until(() -> names("c").contains("ErrorTranslated"));
    assertThat(state(task, AS_JOE)).startsWith("failed ");
    assertThat(names("c")).doesNotContain("CallForwarded");
  }

  @Test
  void approvalTimeoutDuringDowntimeTakesEffectAfterRestart() throws IOException {
    startAlone();
    TaskCreated task = created("c", task("transfer"), AS_JOE);
    node().close();

    startAlone();

    await().until(() -> names("c").contains("ErrorTranslated"));
    assertThat(names("c")).endsWith("ApprovalTimedOut", "GateDenied", "ErrorTranslated");
    assertThat(node().events("c")).contains(task);
  }

  @Test
  void longResultIsStoredWholeAndLongRequestRefused() throws IOException {
    start("limits: {task_params_bytes_max: 655360}");
    String text = "ä".repeat(300_000);
    String call =
        WatchedNode.toolCall("echo", "{\"text\":\"%s\"}".formatted(text))
            .replace("}}}", "},\"task\":{}}}");
    TaskCreated task = created("c", call, AS_JOE);
    node().decide("c", true, "fine");

    JsonNode result = result(post("r", about("tasks/result", task), AS_JOE));

    assertThat(result.path("structuredContent").path("text").asText()).isEqualTo(text);
    assertThat(node().events("c").stream().filter(ResultKept.class::isInstance).count())
        .isGreaterThan(3);
    String tooLong = call.replace(text, "ä".repeat(330_000));
    assertThat(post("d", tooLong, AS_JOE).body())
        .contains("\"code\":-32602", "params of at most 655360 bytes in all");
    assertThat(names("d")).containsExactly("CallReceived", "CallAdmitted", "ErrorTranslated");
  }

  @Test
  void clientWithoutTaskCapabilityIsHeld() throws IOException {
    start("");
    CompletableFuture<RawHttp.Answer> held =
        node().hold("c", WatchedNode.toolCall("deploy"), AS_JOE);

    node().decide("c", true, "fine");

    assertThat(result(held.join()).has("content")).isTrue();
    assertThat(names("c")).doesNotContain("TaskCreated");
  }

  @Test
  void withoutOriginalsTasksAreNeitherOfferedNorCreated() throws IOException {
    start("record: {originals: none}");

    CompletableFuture<RawHttp.Answer> held = node().hold("c", task("deploy"), AS_JOE);
    node().decide("c", true, "fine");

    assertThat(result(held.join()).has("content")).isTrue();
    assertThat(introduced()).doesNotContain("tasks");
    assertThat(post("l", LIST, AS_JOE).body()).doesNotContain("taskSupport");
  }

  @Test
  void toolListShowsWhichToolsSupportTasks() throws IOException {
    start("");

    assertThat(introduced())
        .contains(
            """
            "tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}\
            """);
    JsonNode tools = result(post("l", LIST, AS_JOE)).path("tools");
    assertThat(tools.findValuesAsText("name"))
        .containsExactly("echo", "time", "process", "delete_all", "transfer", "deploy");
    assertThat(tools)
        .extracting(it -> it.path("execution").path("taskSupport").asText())
        .containsExactly("optional", "", "", "", "optional", "optional");
  }

  private static final String LIST =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/list"}\
      """;

  private String introduced() throws IOException {
    return post(
            "i",
            """
            {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\
            """,
            AS_JOE)
        .body();
  }

  @Test
  void statelessClientWithTaskSupportGetsATaskUnasked() throws IOException {
    start("");
    JsonNode created =
        result(
            stateless(
                "c",
                "tools/call",
                DEPLOY,
                """
                {"extensions":{"%s":{}}}\
                """
                    .formatted(EXT)));
    TaskCreated task = (TaskCreated) node().events("c").getLast();

    assertThat(created.path("resultType").asText()).isEqualTo("task");
    assertThat(created.path("taskId").asText()).isEqualTo(task.taskId());
    assertThat(created.path("status").asText()).isEqualTo("working");
    assertThat(created.path("ttlMs").asLong()).isEqualTo(4_200_000);
    String about = "\"taskId\":\"%s\"".formatted(task.taskId());
    assertThat(result(stateless("u", "tasks/update", about + ",\"inputResponses\":{}", TASKS)))
        .isEqualTo(
            json.readTree(
                """
                {"resultType":"complete"}\
                """));
    node().decide("c", true, "fine");
    await().until(() -> names("c").contains("CallAnswered"));

    JsonNode state = result(stateless("g", "tasks/get", about, TASKS));
    assertThat(state.path("resultType").asText()).isEqualTo("complete");
    assertThat(state.path("status").asText()).isEqualTo("completed");
    assertThat(state.path("result").path("content").path(0).path("text").asText())
        .isEqualTo(
            """
            done, if this were not a demo: {"version":"1"}\
            """);
    RawHttp.Answer undeclared = stateless("n", "tasks/cancel", about, "{}");
    assertThat(undeclared.status()).isEqualTo(400);
    assertThat(undeclared.body())
        .contains(
            """
            "code":-32021,"message":"Missing required client capability","data":{"correlation_id":"n","requiredCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}\
            """);
    assertThat(result(stateless("x", "tasks/cancel", about, TASKS)))
        .isEqualTo(
            json.readTree(
                """
                {"resultType":"complete"}\
                """));
    assertThat(stateless("d", "server/discover", "", "{}").body())
        .contains(
            """
            "extensions":{"io.modelcontextprotocol/tasks":{}}\
            """);
  }

  @Test
  void refusedTaskOfAStatelessClientContainsTheError() throws IOException {
    start("");
    var _ =
        stateless(
            "c",
            "tools/call",
            DEPLOY,
            """
            {"extensions":{"%s":{}}}\
            """
                .formatted(EXT));
    TaskCreated task = (TaskCreated) node().events("c").getLast();
    node().decide("c", false, "no");
    await().until(() -> names("c").contains("ErrorTranslated"));

    JsonNode state =
        result(stateless("g", "tasks/get", "\"taskId\":\"%s\"".formatted(task.taskId()), TASKS));

    assertThat(state.path("status").asText()).isEqualTo("failed");
    assertThat(state.path("error").path("code").asInt()).isEqualTo(-32007);
    assertThat(state.path("error").path("data").path("correlation_id").asText()).isEqualTo("c");
  }

  @Test
  void statelessClientWithoutTasksRetriesWithTheGivenState() throws IOException {
    start("limits: {held_answer_millis_max: 10}");
    String state = requestState("c");
    assertThat(requestState("d", state)).isEqualTo(state);
    node().decide("c", true, "fine");
    await().until(() -> names("c").contains("CallAnswered"));

    JsonNode result = result(stateless("e", "tools/call", DEPLOY + again(state), "{}"));

    assertThat(result.path("resultType").asText()).isEqualTo("complete");
    assertThat(result.path("content").path(0).path("text").asText())
        .isEqualTo(
            """
            done, if this were not a demo: {"version":"1"}\
            """);
    assertThat(names("e")).containsExactly("CallReceived", "CallAdmitted", "CallAnswered");
    assertThat(node().events("c").stream().filter(CallForwarded.class::isInstance)).hasSize(1);
  }

  @Test
  void earlyDecisionAnswersAStatelessClientAtOnce() throws IOException {
    start("");
    CompletableFuture<RawHttp.Answer> answer =
        node().hold("c", statelessCall("tools/call", DEPLOY, "{}"), headers("tools/call"));

    node().decide("c", true, "fine");

    assertThat(result(answer.join()).has("content")).isTrue();
  }

  @Test
  void retryWithAnotherCallIsRefused() throws IOException {
    start("limits: {held_answer_millis_max: 10}");
    String state = requestState("c");
    String other = DEPLOY.replace("\"1\"", "\"2\"");

    assertThat(stateless("d", "tools/call", other + again(state), "{}").body())
        .contains("\"code\":-32012");
    assertThat(names("d")).containsExactly("CallReceived", "CallAdmitted", "ErrorTranslated");
  }

  @Test
  void retryWithOtherArgumentsIsRefusedAtOnce() throws IOException {
    start("limits: {held_answer_millis_max: 4000}");
    String state = requestState("c");
    String other = DEPLOY.replace("\"1\"", "\"2\"");
    long before = System.nanoTime();

    String body = stateless("d", "tools/call", other + again(state), "{}").body();

    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(2_500));
    assertThat(body)
        .contains(
            "\"code\":-32012",
            """
            "message":"Request is not the one that approval was asked for: ask again"\
            """);
    assertThat(names("c")).doesNotContain("ApprovalGranted", "ErrorTranslated");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "\"name\":\"deploy\",\"arguments\":null | \"name\":\"deploy\"",
        "\"name\":\"deploy\" | \"name\":\"deploy\",\"arguments\":null",
        "\"name\":\"deploy\",\"arguments\":{\"a\":1,\"b\":[2.50]} |"
            + " \"name\":\"deploy\",\"arguments\":{ \"b\": [2.50], \"a\" : 1 }"
      })
  void retryWithTheSameArgumentsWrittenOtherwiseIsTheSame(String first, String second)
      throws IOException {
    start("limits: {held_answer_millis_max: 10}");
    String state = requestStateOf(stateless("c", "tools/call", first, "{}"));

    assertThat(requestStateOf(stateless("d", "tools/call", second + again(state), "{}")))
        .isEqualTo(state);
  }

  @Test
  void approvalWithoutARetryForwardsNothing() throws IOException {
    start("limits: {held_answer_millis_max: 10, held_away_millis_max: 10}");
    String state = requestState("c");

    await().until(() -> names("c").contains("CallAbandoned"));

    assertThat(((CallAbandoned) node().events("c").getLast()).cause())
        .isEqualTo(CallAbandoned.Cause.DISCONNECTED);
    assertThat(stateless("d", "tools/call", DEPLOY + again(state), "{}").body())
        .contains("\"code\":-32006");
    assertThat(names("c")).doesNotContain("CallForwarded");
  }

  private static final String EXT = "io.modelcontextprotocol/tasks";
  private static final String TASKS = "{\"extensions\":{\"%s\":{}}}".formatted(EXT);
  private static final String DEPLOY =
      """
      "name":"deploy","arguments":{"version":"1"}\
      """;

  private static String again(String state) {
    return ",\"requestState\":\"%s\"".formatted(state);
  }

  /** The request state that a client has to retry with. */
  private String requestState(String correlationId) throws IOException {
    return requestStateOf(stateless(correlationId, "tools/call", DEPLOY, "{}"));
  }

  private String requestState(String correlationId, String state) throws IOException {
    return requestStateOf(stateless(correlationId, "tools/call", DEPLOY + again(state), "{}"));
  }

  private String requestStateOf(RawHttp.Answer answer) throws IOException {
    JsonNode result = result(answer);
    assertThat(result.path("resultType").asText()).isEqualTo("input_required");
    return result.path("requestState").asText();
  }

  private RawHttp.Answer stateless(
      String correlationId, String method, String params, String capabilities) throws IOException {
    return post(correlationId, statelessCall(method, params, capabilities), headers(method));
  }

  private static String[] headers(String method) {
    return method.equals("tools/call")
        ? new String[] {
          AS_JOE[0], "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method, "Mcp-Name: deploy"
        }
        : new String[] {AS_JOE[0], "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: " + method};
  }

  private static String statelessCall(String method, String params, String capabilities) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}}}\
    """
        .formatted(method, params.isEmpty() ? "" : params + ",", capabilities);
  }

  private static String task(String tool) {
    return WatchedNode.toolCall(tool).replace("}}}", "},\"task\":{}}}");
  }

  private TaskCreated created(String correlationId, String body, String... headers)
      throws IOException {
    assertThat(result(post(correlationId, body, headers)).has("task")).isTrue();
    return (TaskCreated) node().events(correlationId).getLast();
  }

  private static String about(String method, TaskCreated task) {
    return about(method, task.taskId());
  }

  private static String about(String method, String taskId) {
    return """
    {"jsonrpc":"2.0","id":1,"method":"%s","params":{"taskId":"%s"}}\
    """
        .formatted(method, taskId);
  }

  private String state(TaskCreated task, String... headers) throws IOException {
    JsonNode state = result(post("state", about("tasks/get", task), headers));
    return state.path("status").asText() + " " + state.path("statusMessage").asText();
  }

  private RawHttp.Answer post(String correlationId, String body, String... headers)
      throws IOException {
    return node().post("/mcp", correlationId, body.getBytes(UTF_8), headers);
  }

  private CompletableFuture<RawHttp.Answer> later(
      String correlationId, String body, String... headers) {
    CompletableFuture<RawHttp.Answer> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return post(correlationId, body, headers);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            work -> Thread.ofVirtual().start(work));
    await().until(() -> names(correlationId).contains("CallAdmitted"));
    return answer;
  }

  private JsonNode result(RawHttp.Answer answer) throws IOException {
    JsonNode result = json.readTree(answer.body()).path("result");
    assertThat(result.isObject()).as(answer.body()).isTrue();
    return result;
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }

  private List<String> names(String correlationId) {
    return node().events(correlationId).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }
}
