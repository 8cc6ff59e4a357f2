package gatebook.api.node.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestCallers;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Trees of tasks, as their callers see them over HTTP. */
@Timeout(300)
final class TreesOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** The source of the node that tests share. */
  private static McpServer sharedSource;

  /** Each test has callers of its own, so that it counts its own tasks. */
  private static final TestCallers CALLERS = new TestCallers(32);

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private final String joe = CALLERS.next();
  private final String ann = CALLERS.next();
  private McpServer source;
  private WatchedNode node;

  @BeforeAll
  static void startSource() throws IOException {
    sharedSource = new McpServer();
  }

  @BeforeEach
  void start() throws IOException {
    source = sharedSource;
    source.tools = McpServer.OWN_TOOLS;
    source.toolArguments.clear();
    node = NODES.shared(rules());
    await().until(() -> waiting().isEmpty());
  }

  /** Starts a node whose source no other test has called. */
  private void startOwn() throws IOException {
    source = new McpServer();
    source.tools = McpServer.OWN_TOOLS;
    node = NODES.own(rules());
  }

  private String rules() {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo, expose: {mode: blocklist, tools: [time]}}
      - {id: remote, kind: mcp, prefix: x_, url: "%s", timeout: 5m, \
    expose: {mode: allowlist, tools: [wait, err]}}
    governance:
      defaults: {action: forward}
      rules:
        - {match: "delete_*", action: deny}
        - {match: "deploy", action: approve, approval: ops}
    approval: {ops: {timeout: 10m}}
    operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
    """
            .formatted(source.url(), WatchedNode.hash(NodeCaller.ALICE))
        + CALLERS.principals();
  }

  @AfterEach
  void stop() {
    if (source != sharedSource) {
      node.close();
      source.close();
    }
  }

  @AfterAll
  static void stopSource() {
    sharedSource.close();
  }

  @Test
  void aTreeRunsByItsDependencies() throws IOException {
    String root = execute(aggregated("echo", "echo"));

    JsonNode tree = ended(root);
    assertThat(status(tree)).isEqualTo("completed");
    assertThat(tree.at("/task/result/result_count").asInt()).isEqualTo(2);
    assertThat(tree.at("/children/0/task/result")).isEqualTo(JSON.readTree("{\"n\":1}"));
    assertThat(tree.at("/children/1/task/result")).isEqualTo(JSON.readTree("{\"n\":2}"));
  }

  @Test
  void aDeniedTaskFailsAndBlocksWhatRequiresIt() throws IOException {
    String root = execute(aggregated("echo", "delete_all"));

    await().until(() -> status(tree(root).at("/children/1")).equals("failed"));
    JsonNode tree = tree(root);
    assertThat(tree.at("/children/1/task/error").asText())
        .isEqualTo("Unauthorized: Tool 'delete_all' is denied by governance rules");
    assertThat(status(tree)).isEqualTo("pending");
    assertThat(tree.at("/task/error").isNull()).isTrue();
    assertThat(code(executeAndWait(root))).isEqualTo(-32007);
    String child = tree.at("/children/1/task/id").asText();
    assertThat(executeAndWait(child).at("/error/data/executor").asText()).isEqualTo("delete_all");
    assertThat(code(executeAndWait(child))).isEqualTo(-32603);
  }

  @Test
  void anApprovedTaskGoesOn() throws IOException {
    String root = execute("[" + task(UUID.randomUUID().toString(), null, "deploy", 1) + "]");

    await().until(() -> !waiting().isEmpty());
    operator("approvals.approve", "{\"callId\":%s}".formatted(waiting().at("/0/callId")));
    assertThat(status(ended(root))).isEqualTo("completed");
  }

  @Test
  void aCancelledTaskStopsItsCall() throws IOException {
    String root = execute("[" + task(UUID.randomUUID().toString(), null, "deploy", 1) + "]");
    await().until(() -> !waiting().isEmpty());

    JsonNode cancelled = request("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(root));
    assertThat(cancelled.at("/result/status").asText()).isEqualTo("cancelled");
    await().until(() -> waiting().isEmpty());
    assertThat(ended(root).at("/task/error").asText()).isEqualTo("Cancelled by user");
    assertThat(code(request("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(root))))
        .isEqualTo(-32006);
  }

  @Test
  void theErrorOfATaskHasNoPath() throws IOException {
    String root = execute("[" + task(UUID.randomUUID().toString(), null, "x_err", 1) + "]");

    await().until(() -> status(tree(root)).equals("failed"));
    assertThat(tree(root).at("/task/error").asText())
        .isEqualTo("Executor 'x_err' raised exception: cannot read [path]");
  }

  @Test
  void eachTaskThatIsToBeCancelledIsAnswered() throws IOException {
    String held = execute("[" + task(UUID.randomUUID().toString(), null, "deploy", 1) + "]");
    String done = execute("[" + task(UUID.randomUUID().toString(), null, "echo", 1) + "]");
    ended(done);
    await().until(() -> !waiting().isEmpty());

    JsonNode answers =
        client("tasks.cancel", "{\"task_ids\":\"%s, %s, %s, none\"}".formatted(held, held, done));

    assertThat(answers.findValuesAsText("status")).containsExactly("cancelled", "failed", "error");
    assertThat(answers.findValuesAsText("message"))
        .containsExactly(
            "Task %s was cancelled".formatted(held),
            "Task %s is already completed, cannot cancel".formatted(done),
            "Task none not found");
  }

  @Test
  void whatRunsBelowAnEndedTaskIsCancelled() throws IOException {
    String root = UUID.randomUUID().toString();
    String kid = task(UUID.randomUUID().toString(), root, "deploy", 2);
    execute("[%s,%s]".formatted(task(root, null, "echo", 1), kid));
    await().until(() -> !waiting().isEmpty() && status(tree(root)).equals("completed"));

    String alone = "{\"task_id\":\"%s\"}".formatted(root);
    String cascade = "{\"task_id\":\"%s\",\"cascade\":true}".formatted(root);

    assertThat(code(request("tasks.cancel", alone))).isEqualTo(-32006);
    assertThat(request("tasks.cancel", cascade).path("result"))
        .isEqualTo(JSON.readTree("{\"task_id\":\"%s\",\"status\":\"completed\"}".formatted(root)));
    assertThat(status(tree(root).at("/children/0"))).isEqualTo("cancelled");
    assertThat(code(request("tasks.cancel", cascade))).isEqualTo(-32006);
    assertThat(client("tasks.cancel", cascade).at("/0/status").asText()).isEqualTo("failed");
  }

  @Test
  void whatFailedBelowAnEndedRootRunsAgain() throws IOException {
    String root = UUID.randomUUID().toString();
    String kid = UUID.randomUUID().toString();
    String cascade = "{\"task_id\":\"%s\",\"cascade\":true,\"wait\":true}".formatted(root);
    execute("[%s,%s]".formatted(task(root, null, "echo", 1), task(kid, root, "x_err", 2)));
    await().until(() -> status(tree(root).at("/children/0")).equals("failed"));

    assertThat(request("tasks.execute", cascade).at("/result/status").asText())
        .isEqualTo("completed");
    assertThat(source.toolArguments).containsExactly("err {\"n\":2}", "err {\"n\":2}");
    client("tasks.update", "{\"task_id\":\"%s\",\"status\":\"cancelled\"}".formatted(kid));
    assertThat(code(request("tasks.cancel", cascade))).isEqualTo(-32006);
  }

  @Test
  void statusIsUpdatedByTheStateMachine() throws IOException {
    String held = execute("[" + task(UUID.randomUUID().toString(), null, "deploy", 1) + "]");
    await().until(() -> !waiting().isEmpty());
    String to = "{\"task_id\":\"" + held + "\",\"status\":\"%s\",\"error\":\"enough\"}";

    assertThat(clientError("tasks.update", to.formatted("completed")).path("attempted_transition"))
        .hasToString("\"in_progress -> completed\"");
    JsonNode cancelled = client("tasks.update", to.formatted("cancelled"));
    assertThat(cancelled.path("status").asText()).isEqualTo("cancelled");
    assertThat(cancelled.path("error").asText()).isEqualTo("enough");
    await().until(() -> waiting().isEmpty());
    assertThat(clientError("tasks.update", to.formatted("pending")).path("attempted_transition"))
        .hasToString("\"cancelled -> pending\"");
  }

  @Test
  void aCancelledTasksRequestIsCancelledAtItsSource() throws IOException {
    startOwn();
    String root = execute("[" + task(UUID.randomUUID().toString(), null, "x_wait", 1) + "]");
    await().until(() -> source.toolArguments.size() == 1);

    request("tasks.cancel", "{\"task_id\":\"%s\"}".formatted(root));

    await().until(() -> !source.cancelledCalls.isEmpty());
    assertThat(status(ended(root))).isEqualTo("cancelled");
    assertThat(source.cancelledCalls)
        .containsExactly("gatebook1 wait nobody waits for the answer any longer");
  }

  @Test
  void existingClientsSeeWhichTasksHaveChildren() throws IOException {
    String root = execute(aggregated("echo", "echo"));
    String kid = ended(root).at("/children/0/task/id").asText();

    assertThat(
            client("tasks.get", "{\"id\":\"%s\"}".formatted(root)).path("has_children").asBoolean())
        .isTrue();
    assertThat(
            client("tasks.get", "{\"id\":\"%s\"}".formatted(kid))
                .path("has_children")
                .asBoolean(true))
        .isFalse();
    assertThat(client("tasks.list", "{}").findValuesAsText("has_children")).containsExactly("true");
    assertThat(client("tasks.list", "{\"root_only\":false}").findValuesAsText("has_children"))
        .containsExactly("false", "false", "true");
  }

  private JsonNode client(String method, String params) throws IOException {
    return clientResponse(method, params).path("result");
  }

  private JsonNode clientError(String method, String params) throws IOException {
    JsonNode error = clientResponse(method, params).path("error");
    assertThat(error.path("code").asInt()).as(error.toString()).isEqualTo(-32006);
    return error.path("data");
  }

  private JsonNode clientResponse(String method, String params) throws IOException {
    return node.as(joe).post("/flow/tasks", method, params).response();
  }

  @Test
  void whatTasksReferToIsChecked() throws IOException {
    String task = "{\"id\":\"%s\",\"name\":\"%s\",\"schemas\":{\"method\":\"echo\"}%s}";
    client("tasks.create", task.formatted("one", "one", ""));

    JsonNode copy =
        clientResponse(
            "tasks.create",
            task.formatted("c", "c", ",\"origin_type\":\"copy\",\"original_task_id\":\"none\""));
    assertThat(code(copy)).isEqualTo(-32005);
    assertThat(copy.at("/error/data/field").asText()).isEqualTo("original_task_id");
    String known = ",\"origin_type\":\"copy\",\"original_task_id\":\"one\"";
    assertThat(client("tasks.create", task.formatted("c", "c", known)).isMissingNode()).isFalse();

    JsonNode elsewhere =
        clientResponse(
            "tasks.create",
            "[%s,%s]"
                .formatted(
                    task.formatted("r", "r", ""),
                    task.formatted("k", "k", ",\"parent_id\":\"one\"")));
    assertThat(code(elsewhere)).isEqualTo(-32010);
    assertThat(elsewhere.at("/error/data/reason").asText()).contains("another tree");

    JsonNode retry =
        clientResponse(
            "tasks.create", task.formatted("t", "t", ",\"params\":{\"retry\":{\"attempts\":2}}"));
    assertThat(code(retry)).isEqualTo(-32005);
    assertThat(retry.at("/error/data/field").asText()).isEqualTo("params.retry.attempts");
  }

  /** As the original client asks: with an empty body, and statuses that say whether it failed. */
  @Test
  void thePathOfATaskExecutesIt() throws IOException {
    client("tasks.create", "{\"id\":\"run\",\"name\":\"run\",\"schemas\":{\"method\":\"echo\"}}");

    RawHttp.Answer started = executeByPath("run", joe);
    assertThat(started.status()).isEqualTo(200);
    assertThat(JSON.readTree(started.body()).path("status").asText()).isEqualTo("started");
    await()
        .until(() ->
            client("tasks.get", "{\"id\":\"run\"}").path("status").asText().equals("completed"));
    assertThat(executeByPath("run", joe).status()).isEqualTo(400);
    assertThat(executeByPath("none", joe).status()).isEqualTo(404);
    assertThat(executeByPath("run", "nobody").status()).isEqualTo(401);
  }

  private RawHttp.Answer executeByPath(String id, String token) throws IOException {
    return node.send(
        Port.CALLERS,
        "/flow/tasks/%s/execute".formatted(id),
        new byte[0],
        NodeCaller.bearer(token));
  }

  @Test
  void othersDoNotSeeATree() throws IOException {
    String root = execute(aggregated("echo", "echo"));
    ended(root);

    JsonNode foreign = requestAs(ann, "tasks.get", "{\"task_id\":\"%s\"}".formatted(root));
    assertThat(code(foreign)).isEqualTo(-32001);
    assertThat(requestAs(ann, "tasks.list", "{}").at("/result/total").asInt()).isZero();
    assertThat(request("tasks.list", "{}").at("/result/total").asInt()).isEqualTo(3);
  }

  @Test
  void aHiddenToolIsNoExecutor() throws IOException {
    JsonNode refused =
        request(
            "tasks.execute",
            "{\"tasks\":[%s]}".formatted(task(UUID.randomUUID().toString(), null, "time", 1)));

    assertThat(code(refused)).isEqualTo(-32003);
    assertThat(request("tasks.list", "{}").at("/result/total").asInt()).isZero();
  }

  @Test
  void executorsThatNoSourceListsAreToldTogether() throws IOException {
    startOwn();
    source.tools = "[{\"name\":\"err\"},{\"name\":\"hidden\"}]";
    String root = UUID.randomUUID().toString();
    String tasks =
        Stream.of("x_wait", "echo", "hidden", "err", "x_err", "wait")
            .map(tool -> "," + task(UUID.randomUUID().toString(), root, tool, 1))
            .collect(Collectors.joining("", "[" + task(root, null, "x_err", 1), "]"));

    JsonNode refused = request("tasks.execute", "{\"tasks\":%s}".formatted(tasks));

    assertThat(code(refused)).isEqualTo(-32003);
    assertThat(refused.at("/error/data/errors").findValuesAsText("executor"))
        .containsExactly("x_wait", "hidden", "wait");
    assertThat(request("tasks.list", "{}").at("/result/total").asInt()).isZero();
    source.tools = McpServer.OWN_TOOLS;
    assertThat(request("system.executors", "{}").at("/result/allowed_ids").toString())
        .contains("x_wait");
    assertThat(request("tasks.create", task(root, null, "wait", 1)).at("/result/id").asText())
        .isEqualTo(root);
  }

  private String execute(String tasks) throws IOException {
    JsonNode started = request("tasks.execute", "{\"tasks\":%s}".formatted(tasks));
    assertThat(started.at("/result/status").asText()).as(started.toString()).isEqualTo("started");
    return started.at("/result/root_task_id").asText();
  }

  private JsonNode executeAndWait(String id) throws IOException {
    return request("tasks.execute", "{\"task_id\":\"%s\",\"wait\":true}".formatted(id));
  }

  /** A root that requires two children, each run by a tool. */
  private static String aggregated(String first, String second) {
    String root = UUID.randomUUID().toString();
    String one = UUID.randomUUID().toString();
    String two = UUID.randomUUID().toString();
    return """
    [{"id":"%s","name":"root","schemas":{"method":"aggregate_results_executor"},\
    "dependencies":[{"id":"%s"},{"id":"%s"}]},%s,%s]\
    """
        .formatted(root, one, two, task(one, root, first, 1), task(two, root, second, 2));
  }

  private static String task(String id, @Nullable String parentId, String tool, int number) {
    return """
    {"id":"%s","name":"%s %d","parent_id":%s,"schemas":{"method":"%s"},"inputs":{"n":%d%s}}\
    """
        .formatted(
            id,
            tool,
            number,
            parentId == null ? null : "\"" + parentId + "\"",
            tool,
            number,
            tool.equals("deploy") ? ",\"version\":\"7\"" : "");
  }

  private JsonNode ended(String root) {
    await().until(() -> !status(tree(root)).matches("pending|in_progress"));
    return tree(root);
  }

  private JsonNode tree(String root) {
    try {
      return request("tasks.tree", "{\"task_id\":\"%s\"}".formatted(root)).path("result");
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The calls that wait for an approval. */
  private JsonNode waiting() throws IOException {
    return operator("approvals.list", "{}").at("/result/approvals");
  }

  private JsonNode operator(String method, String params) throws IOException {
    return node.operator(NodeCaller.ALICE, method, params);
  }

  private static String status(JsonNode tree) {
    return tree.at("/task/status").asText();
  }

  private static int code(JsonNode response) {
    return response.at("/error/code").asInt();
  }

  private JsonNode request(String method, String params) throws IOException {
    return requestAs(joe, method, params);
  }

  private JsonNode requestAs(String token, String method, String params) throws IOException {
    return node.as(token).flow(method, params).response();
  }
}
