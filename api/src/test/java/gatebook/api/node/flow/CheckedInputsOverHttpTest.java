package gatebook.api.node.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.mcp.McpServer;
import gatebook.api.node.WatchedNode;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallForwarded;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected;
import gatebook.events.fault.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The inputs of tasks, as a real source gets them or does not. */
@Timeout(300)
final class CheckedInputsOverHttpTest {
  private static final String ROOT = "550e8400-e29b-41d4-a716-446655440000";
  private static final String TOOLS =
      """
      [{"name":"pay","inputSchema":{"type":"object","required":["amount"],\
      "properties":{"amount":{"type":"integer"}}}},\
      {"name":"close","inputSchema":{"properties":{"amount":{"type":"integer"}}}},\
      {"name":"lend","inputSchema":{"properties":{"amount":{"type":"integer"}}}},\
      {"name":"sum","inputSchema":{"type":"object","properties":{"dependencies":{"type":"object"}}}}]\
      """;

  @TempDir private Path folder;
  private McpServer source;
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    source = new McpServer();
    source.tools = TOOLS;
    node = WatchedNode.start(folder, rules(""));
  }

  private String rules(String expose) {
    return """
    schema: 1
    sources: [{id: bank, kind: mcp, url: "%s", prefix: bank_, timeout: 5s%s}]
    governance:
      defaults: {action: forward}
      rules: [{match: "close", action: deny}, {match: "lend", action: approve}]
    approval: {ops: {timeout: 10m}}
    """
        .formatted(source.url(), expose);
  }

  @AfterEach
  void stop() {
    node.close();
    source.close();
  }

  @Test
  void wrongInputsFailATaskBeforeTheCall() throws IOException {
    String task = execute("[%s]".formatted(task("bank_pay", "{\"amount\":\"s3cret\"}", "")));

    JsonNode ended = ended(task);
    assertThat(ended.path("status").asText()).isEqualTo("failed");
    assertThat(ended.path("error").asText())
        .isEqualTo("Invalid inputs: inputs.amount: Wrong type, expected integer");
    assertThat(source.toolArguments).isEmpty();
    assertThat(node.events()).noneMatch(CallForwarded.class::isInstance);
    assertThat(faultOfTheCall(task))
        .isEqualTo(
            new Misdirected.InvalidParams(
                List.of(
                    new Problem(
                        "inputs.amount",
                        "Wrong type",
                        "integer",
                        JsonValue.parse("\"string\""),
                        List.of()))));
  }

  @Test
  void aDenialComesBeforeWrongInputs() throws IOException {
    String task = execute("[%s]".formatted(task("bank_close", "{\"amount\":\"s3cret\"}", "")));

    assertThat(ended(task).path("error").asText())
        .isEqualTo("Unauthorized: Tool 'bank_close' is denied by governance rules");
    assertThat(node.events()).filteredOn(GateDenied.class::isInstance).hasSize(1);
  }

  @Test
  void aToolThatIsHiddenMeanwhileIsNoExecutor() throws Exception {
    String task = task("pay", "{\"amount\":5}", "");
    assertThat(request("tasks.create", "[%s]".formatted(task)).at("/result/id").asText())
        .isEqualTo(ROOT);
    node.change("gatebook.yaml", rules(", expose: {mode: blocklist, tools: [pay]}"));

    JsonNode refused = request("tasks.execute", "{\"task_id\":\"%s\"}".formatted(ROOT));

    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32003);
    assertThat(node.events()).noneMatch(TreeExecutionStarted.class::isInstance);
  }

  @Test
  void noApprovalIsAskedForWrongInputs() throws IOException {
    String task = execute("[%s]".formatted(task("bank_lend", "{\"amount\":\"s3cret\"}", "")));

    assertThat(ended(task).path("error").asText())
        .isEqualTo("Invalid inputs: inputs.amount: Wrong type, expected integer");
    assertThat(node.events()).noneMatch(ApprovalRequested.class::isInstance);
  }

  @Test
  void anAggregateChecksItsInputsWithTheResults() throws IOException {
    String first = UUID.randomUUID().toString();
    String root =
        execute(
            """
            [{"id":"%s","name":"sum","dependencies":[{"id":"%s"}],"schemas":\
            {"method":"aggregate_results_executor","input_schema":{"properties":{"dependencies":\
            {"type":"object","required":["other"]}}}}},%s]\
            """
                .formatted(ROOT, first, child(first, "bank_sum", "{}")));

    assertThat(ended(root).path("error").asText())
        .isEqualTo("Invalid inputs: inputs.dependencies.other: Missing required field");
  }

  /** The fault of the one call that was made for a task. */
  private Fault faultOfTheCall(String task) {
    CallReceived call =
        node.events().stream()
            .filter(CallReceived.class::isInstance)
            .map(CallReceived.class::cast)
            .filter(received -> task.equals(received.taskId()))
            .reduce((_, _) -> {
              throw new AssertionError("more than one call");
            })
            .orElseThrow();
    return node.events().stream()
        .filter(ErrorTranslated.class::isInstance)
        .map(ErrorTranslated.class::cast)
        .filter(translated -> translated.callId().equals(call.callId()))
        .findFirst()
        .orElseThrow()
        .fault();
  }

  @Test
  void aDependentThatKnowsThemGetsTheResults() throws IOException {
    String first = UUID.randomUUID().toString();
    String root =
        execute(
            "[%s,%s]"
                .formatted(
                    task(
                        "bank_sum",
                        "{\"x\":1}",
                        ",\"dependencies\":[{\"id\":\"%s\"}]".formatted(first)),
                    child(first, "bank_pay", "{\"amount\":5}")));

    assertThat(ended(root).path("status").asText()).isEqualTo("completed");
    assertThat(source.toolArguments)
        .containsExactly(
            "pay {\"amount\":5}",
            "sum {\"x\":1,\"dependencies\":{\"%s\":%s}}".formatted(first, result(first)));
  }

  @Test
  void aSourceWithoutAListChecksItsInputsItself() throws IOException {
    source.tools = "";
    String task = execute("[%s]".formatted(task("bank_pay", "{\"amount\":\"five\"}", "")));

    assertThat(ended(task).path("status").asText()).isEqualTo("completed");
    assertThat(source.toolArguments).containsExactly("pay {\"amount\":\"five\"}");
  }

  @Test
  void inputsThatBreakTheTasksSchemaAreRefusedAtOnce() throws IOException {
    JsonNode refused =
        request(
            "tasks.execute",
            """
            {"tasks":[{"name":"a","schemas":{"method":"bank_pay","input_schema":{"required":["to"]}},\
            "inputs":{"amount":5}}]}\
            """);

    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32005);
    assertThat(refused.at("/error/data/field").asText()).isEqualTo("tasks[0].inputs.to");
    assertThat(request("tasks.list", "{}").at("/result/total").asInt()).isZero();
  }

  /** The text of the result as callers get it. */
  private String result(String id) throws IOException {
    return get(id).path("result").toString();
  }

  private String execute(String tasks) throws IOException {
    JsonNode started = request("tasks.execute", "{\"tasks\":%s}".formatted(tasks));
    assertThat(started.at("/result/status").asText()).as(started.toString()).isEqualTo("started");
    return started.at("/result/root_task_id").asText();
  }

  private static String task(String tool, String inputs, String more) {
    return """
    {"name":"%s","schemas":{"method":"%s"},"inputs":%s%s,"id":"%s"}\
    """
        .formatted(tool, tool, inputs, more, ROOT);
  }

  private static String child(String id, String tool, String inputs) {
    return """
    {"id":"%s","parent_id":"%s","name":"%s","schemas":{"method":"%s"},"inputs":%s}\
    """
        .formatted(id, ROOT, tool, tool, inputs);
  }

  private JsonNode ended(String id) {
    await().until(() -> !get(id).path("status").asText().matches("pending|in_progress"));
    return get(id);
  }

  private JsonNode get(String id) {
    try {
      return request("tasks.get", "{\"task_id\":\"%s\"}".formatted(id)).path("result");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode request(String method, String params) throws IOException {
    return node.call(Port.CALLERS, "/flow", method, params);
  }
}
