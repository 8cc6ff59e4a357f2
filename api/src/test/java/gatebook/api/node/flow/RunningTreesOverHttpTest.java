package gatebook.api.node.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallAbandoned;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Running trees whose tasks are changed and approved meanwhile, one at a time. */
@Timeout(300)
final class RunningTreesOverHttpTest {
  private static final String ROOT = FlowTasksOverHttp.id(1);

  /** They run until somebody approves them. */
  private static final String GATE = FlowTasksOverHttp.id(2);

  private static final String OTHER_GATE = FlowTasksOverHttp.id(3);
  private static final String KID = FlowTasksOverHttp.id(4);
  private static final String ANOTHER_TREE = FlowTasksOverHttp.id(5);

  @TempDir private Path folder;

  private McpServer source;
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    source = new McpServer();
    source.tools = McpServer.OWN_TOOLS;
    startNode();
  }

  private void startNode() throws IOException {
    node = WatchedNode.start(folder, rules(""));
  }

  /** The rules; {@code expose} is that of the demo tools. */
  private String rules(String expose) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo%s}
      - {id: remote, kind: mcp, prefix: x_, url: "%s", timeout: 5m}
    governance:
      defaults: {action: forward}
      rules: [{match: "deploy", action: approve}, {match: "wait", action: approve}]
    approval: {ops: {timeout: 10m}}
    limits: {tree_tasks_running_per_tree_max: 1}
    operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
    """
        .formatted(expose, source.url(), WatchedNode.hash(NodeCaller.ALICE));
  }

  @AfterEach
  void stop() {
    node.close();
    source.close();
  }

  @Test
  void aTaskRunsAsItWasUpdatedMeanwhile() throws IOException {
    execute(echo(ROOT, null, GATE), deploy(GATE));
    awaitHeld(1);

    update(ROOT, "\"inputs\":{\"n\":9}");
    approve(GATE);

    await().until(() -> status(ROOT).equals("completed"));
    assertThat(task(ROOT).path("result").toString()).isEqualTo("{\"n\":9}");
  }

  @Test
  void aDependencyThatIsAddedMeanwhileIsWaitedFor() throws IOException {
    execute(echo(ROOT, null, GATE), deploy(GATE), deploy(OTHER_GATE));
    awaitHeld(2);

    update(ROOT, "\"dependencies\":[{\"id\":\"%s\"},{\"id\":\"%s\"}]".formatted(GATE, OTHER_GATE));
    approve(GATE);
    await().until(() -> status(GATE).equals("completed"));
    assertThat(status(ROOT)).isEqualTo("pending");
    approve(OTHER_GATE);

    await().until(() -> status(ROOT).equals("completed"));
    assertThat(task(ROOT).path("started_at").asText())
        .isGreaterThan(task(OTHER_GATE).path("completed_at").asText());
  }

  @Test
  void aTaskStartsWhenItsOpenDependencyIsRemoved() throws IOException {
    execute(echo(ROOT, null, GATE), deploy(GATE));
    awaitHeld(1);

    update(ROOT, "\"dependencies\":[]");

    await().until(() -> status(ROOT).equals("completed"));
    assertThat(status(GATE)).isEqualTo("in_progress");
  }

  @Test
  void aToolThatIsHiddenMeanwhileIsDenied() throws Exception {
    execute(echo(ROOT, null, GATE), deploy(GATE));
    awaitHeld(1);
    node.change("gatebook.yaml", rules(", expose: {mode: blocklist, tools: [echo]}"));

    approve(GATE);

    await().until(() -> status(ROOT).equals("failed"));
    assertThat(task(ROOT).path("error").asText())
        .isEqualTo("Unauthorized: Tool 'echo' is not available");
    assertThat(node.events()).filteredOn(GateDenied.class::isInstance).hasSize(1);
  }

  @Test
  void aToolThatIsNoLongerListedIsNotCalled() throws Exception {
    execute(task(ROOT, null, "x_err", "", GATE), deploy(GATE));
    awaitHeld(1);
    source.tools = "[]";
    request("system.executors", "{}");

    approve(GATE);

    await().until(() -> status(ROOT).equals("failed"));
    assertThat(task(ROOT).path("error").asText()).isEqualTo("Executor not found");
    assertThat(source.toolArguments).isEmpty();
    assertThat(request("tasks.execute", id(ROOT)).at("/error/data/executor").asText())
        .isEqualTo("x_err");
  }

  @Test
  void aTaskDeletedMeanwhileIsNoPartOfTheEnd() throws IOException {
    execute(echo(ROOT, null), deploy(GATE), echo(KID, ROOT, GATE));
    awaitHeld(1);

    assertThat(request("tasks.delete", id(KID)).at("/result/success").asBoolean()).isTrue();
    approve(GATE);

    await().until(() -> tree().path("execution").isNull());
    assertThat(tree().path("status").asText()).isEqualTo("completed");
  }

  @Test
  void aTaskThatIsAddedMeanwhileDoesNotRun() throws IOException {
    execute(echo(ROOT, null), deploy(GATE));
    awaitHeld(1);

    assertThat(request("tasks.create", echo(KID, ROOT)).at("/result/id").asText()).isEqualTo(KID);
    approve(GATE);

    await().until(() -> tree().path("execution").isNull());
    assertThat(tree().path("status").asText()).isEqualTo("completed");
    assertThat(status(KID)).isEqualTo("pending");
  }

  @Test
  void nothingStartsWhileAnApprovedTaskRuns() throws IOException {
    execute(echo(ROOT, null, GATE), deploy(GATE), task(OTHER_GATE, ROOT, "x_wait", "\"n\":1"));
    awaitHeld(2);
    approve(OTHER_GATE);
    await().until(() -> source.toolArguments.size() == 1);

    approve(GATE);

    await().until(() -> status(GATE).equals("completed"));
    runAnotherTree();
    assertThat(status(ROOT)).isEqualTo("pending");
    request("tasks.cancel", id(OTHER_GATE));
    await().until(() -> status(ROOT).equals("completed"));
  }

  @Test
  void nothingStartsWhileATaskApprovedAfterARestartRuns() throws IOException {
    execute(
        echo(ROOT, null, GATE),
        deploy(GATE),
        task(OTHER_GATE, ROOT, "x_wait", "\"n\":1"),
        echo(KID, ROOT, GATE));
    awaitHeld(2);
    node.close();
    startNode();
    update(KID, "\"dependencies\":[]"); // it has a slot when both wait again
    await().until(() -> status(KID).equals("completed"));

    approve(OTHER_GATE);
    await().until(() -> source.toolArguments.size() == 1);
    approve(GATE);

    await().until(() -> status(GATE).equals("completed"));
    runAnotherTree();
    assertThat(status(ROOT)).isEqualTo("pending");
    request("tasks.cancel", id(OTHER_GATE));
    await().until(() -> status(ROOT).equals("completed"));
  }

  /** A task of the first tree would start before this ends, if it had a slot. */
  private void runAnotherTree() throws IOException {
    JsonNode ended =
        request(
            "tasks.execute", "{\"wait\":true,\"tasks\":[%s]}".formatted(echo(ANOTHER_TREE, null)));
    assertThat(ended.at("/result/status").asText()).as(ended.toString()).isEqualTo("completed");
  }

  @Test
  void theCallOfACancelledApprovedTaskIsAbandoned() throws IOException {
    execute(task(OTHER_GATE, null, "x_wait", "\"n\":1"));
    awaitHeld(1);
    approve(OTHER_GATE);
    await().until(() -> source.toolArguments.size() == 1);

    request("tasks.cancel", id(OTHER_GATE));

    await().until(() -> !source.cancelledCalls.isEmpty());
    await().until(() -> abandoned().count() == 1);
    assertThat(node.events()).noneMatch(ErrorTranslated.class::isInstance);
    assertThat(abandoned())
        .extracting(CallAbandoned::cause)
        .containsExactly(CallAbandoned.Cause.CANCELLED);
  }

  private Stream<CallAbandoned> abandoned() {
    return node.events().stream()
        .filter(CallAbandoned.class::isInstance)
        .map(CallAbandoned.class::cast);
  }

  /** The gateway makes the id of the task, and dies while its call is held. */
  @Test
  void oneCorrelationIdFindsAnExecutionAndItsCalls() throws IOException {
    String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    RawHttp.Answer started =
        node.send(
            Port.CALLERS,
            "/flow",
            """
            {"jsonrpc":"2.0","id":1,"method":"tasks.execute","params":{"tasks":[
              {"name":"release","schemas":{"method":"deploy"},"inputs":{"version":"1"}}]}}
            """
                .getBytes(UTF_8),
            "X-Correlation-Id: order-7",
            "traceparent: 00-" + trace + "-00f067aa0ba902b7-01");
    assertThat(started.body()).contains("\"status\":\"started\"");
    awaitHeld(1);
    node.close();
    startNode();
    String held = operator("approvals.list", "{}").at("/result/approvals/0/callId").asText();
    operator("approvals.approve", "{\"callId\":\"%s\"}".formatted(held));
    await().until(() -> tree().path("status").asText().equals("completed"));

    for (String id : List.of("order-7", trace)) {
      JsonNode found = operator("audit.lookup", "{\"id\":\"%s\"}".formatted(id)).path("result");
      assertThat(found.path("calls"))
          .extracting(call -> call.path("method").asText())
          .containsExactly("tools/call", "tasks.execute");
      assertThat(found.at("/trees").size()).isEqualTo(1);
    }
  }

  @Test
  void resultsFromBeforeARestartAreGiven() throws IOException {
    execute(
        task(ROOT, null, "aggregate_results_executor", "", KID, GATE),
        echo(KID, ROOT),
        deploy(GATE));
    awaitHeld(1);
    await().until(() -> status(KID).equals("completed"));
    node.close();
    startNode();

    approve(GATE);

    await().until(() -> status(ROOT).equals("completed"));
    assertThat(task(ROOT).at("/result/result_count").asInt()).isEqualTo(2);
    assertThat(task(ROOT).at("/result/results/" + KID).toString()).isEqualTo("{\"n\":1}");
  }

  private void execute(String... tasks) throws IOException {
    JsonNode started =
        request("tasks.execute", "{\"tasks\":[%s]}".formatted(String.join(",", tasks)));
    assertThat(started.at("/result/status").asText()).as(started.toString()).isEqualTo("started");
  }

  private static String echo(String id, @Nullable String parent, String... needs) {
    return task(id, parent, "echo", "\"n\":1", needs);
  }

  private static String deploy(String id) {
    return task(id, ROOT, "deploy", "\"version\":\"%s\"".formatted(id));
  }

  private static String task(
      String id, @Nullable String parent, String tool, String inputs, String... needs) {
    return """
    {"id":"%s","name":"task %s"%s,"schemas":{"method":"%s"},"inputs":{%s},"dependencies":[%s]}\
    """
        .formatted(
            id,
            id,
            parent == null ? "" : ",\"parent_id\":\"%s\"".formatted(parent),
            tool,
            inputs,
            needs.length == 0 ? "" : "{\"id\":\"" + String.join("\"},{\"id\":\"", needs) + "\"}");
  }

  private void update(String id, String members) throws IOException {
    JsonNode updated =
        request("tasks.update", "{\"task_id\":\"%s\",\"updates\":{%s}}".formatted(id, members));
    assertThat(updated.at("/result/status").asText()).as(updated.toString()).isEqualTo("pending");
  }

  private void awaitHeld(int count) {
    await().until(() -> operator("approvals.list", "{}").at("/result/approvals").size() == count);
  }

  /** Approves the call of a task. */
  private void approve(String task) throws IOException {
    String call =
        operator("audit.lookup", id(task).replace("task_id", "id"))
            .at("/result/trees/0/tasks")
            .findParents("taskId")
            .stream()
            .filter(it -> it.path("taskId").asText().equals(task) && it.path("calls").size() == 1)
            .findFirst()
            .orElseThrow()
            .at("/calls/0/callId")
            .asText();
    operator("approvals.approve", "{\"callId\":\"%s\"}".formatted(call));
  }

  private JsonNode tree() throws IOException {
    return operator("audit.trees", "{}").at("/result/trees/0");
  }

  private String status(String id) throws IOException {
    return task(id).path("status").asText();
  }

  private JsonNode task(String id) throws IOException {
    return request("tasks.get", id(id)).path("result");
  }

  private static String id(String task) {
    return "{\"task_id\":\"%s\"}".formatted(task);
  }

  private JsonNode operator(String method, String params) throws IOException {
    return node.operator(NodeCaller.ALICE, method, params);
  }

  private JsonNode request(String method, String params) throws IOException {
    return node.call(Port.CALLERS, "/flow", method, params);
  }
}
