package gatebook.api.node.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.flow.read.FlowMethod;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.Event;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Severity;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The codes of the task-flow protocol over HTTP: response, events, log line and counters. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FlowCodesOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Reads texts in single quotation marks, too. */
  private static final JsonMapper JSON5 =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_SINGLE_QUOTES).build();

  /**
   * The rows of the requirement's two tables of codes, and of its lists of common scenarios where a
   * code has several. The token that is missing is not provoked: every caller of this machine may
   * come without one.
   */
  private static final Set<String> ROWS =
      Set.of(
          "-32700 Parse error",
          "-32600 Invalid Request: jsonrpc",
          "-32600 Invalid Request: method",
          "-32600 Invalid Request: params",
          "-32600 Invalid Request: id",
          "-32601 Method not found",
          "-32602 Invalid params: Invalid UUID format",
          "-32602 Invalid params: Missing required fields",
          "-32602 Invalid params: Invalid field types",
          "-32602 Invalid params: Field value out of range",
          "-32603 Internal error: Executor execution failed",
          "-32603 Internal error: Executor timeout",
          "-32603 Internal error: Invalid executor inputs",
          "-32603 Internal error: Insufficient permissions",
          "-32001 Task not found",
          "-32001 Task not found: of somebody else",
          "-32002 Circular dependency",
          "-32002 Circular dependency: Self-reference",
          "-32003 Executor not found",
          "-32004 Unauthorized: Invalid authentication token",
          "-32004 Unauthorized: User ID mismatch",
          "-32005 Invalid task schema: Schema validation failure",
          "-32005 Invalid task schema: invalid origin_type",
          "-32005 Invalid task schema: missing origin_type",
          "-32005 Invalid task schema: missing original_task_id",
          "-32005 Invalid task schema: invalid has_references",
          "-32005 Invalid task schema: link of a task that is not completed",
          "-32005 Invalid task schema: archive of a task that is not completed",
          "-32006 Invalid state transition",
          "-32006 Invalid state transition: Task in terminal state",
          "-32007 Dependency not satisfied",
          "-32008 Task already executing",
          "-32009 Cannot delete task: has children",
          "-32009 Cannot delete task: has dependents",
          "-32009 Cannot delete task: is not pending",
          "-32010 Invalid parent reference",
          "-32011 Invalid dependency reference",
          "-32012 Task tree validation failed: multiple roots",
          "-32012 Task tree validation failed: circular parent-child");

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable FlowTasksOverHttp started;

  @BeforeAll
  void start() throws IOException {
    started = FlowTasksOverHttp.start(NODES);
  }

  @AfterAll
  void stop() throws IOException {
    tasks().close();
  }

  @Test
  void everyRowOfTheRequirementIsProvoked() {
    assertThat(FlowProvocations.all().stream().map(FlowProvocation::row).collect(toSet()))
        .isEqualTo(ROWS);
  }

  static List<FlowProvocation> provocations() {
    return FlowProvocations.all();
  }

  @ParameterizedTest
  @MethodSource("provocations")
  void codeIsAnsweredRecordedLoggedAndCounted(FlowProvocation provocation) throws IOException {
    for (String path : provocation.paths()) {
      double before = counted(provocation);
      ProvokedCall provoked = provoke(path, provocation);

      provoked.expectAnswer(provocation.id(), provocation.status(), provocation.words());
      expectLine(provoked, provocation, recordedFault(provoked, provocation));
      assertThat(counted(provocation) - before).isEqualTo(provocation.errors());
    }
  }

  private ProvokedCall provoke(String path, FlowProvocation provocation) throws IOException {
    String correlationId = "flow-" + calls.incrementAndGet();
    RawHttp.Answer answer =
        node().post(path, correlationId, provocation.body().getBytes(UTF_8), provocation.token());
    return new ProvokedCall(correlationId, node().seen(correlationId, answer), Map.of());
  }

  /** How many errors with this code flow callers were told. */
  private double counted(FlowProvocation provocation) throws IOException {
    String labels = ",code=\"%d\",dialect=\"flow\",".formatted(provocation.words().code());
    return node()
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("gatebook_errors_total{") && line.contains(labels))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** The recorded fault, which is translated to the response that was sent. */
  private static Fault recordedFault(ProvokedCall provoked, FlowProvocation provocation) {
    ProvokedCall.Words words = provocation.words();
    Event last = provoked.seen().events().getLast();
    assertThat(ProvokedCall.errorOf(last))
        .isEqualTo(
            new ErrorResponse(
                Dialect.FLOW,
                words.code(),
                words.message(),
                JsonValue.parse(provoked.data(words)),
                provocation.status()));
    assertThat(ProvokedCall.fault(last).kind()).isEqualTo(provocation.fault());
    return ProvokedCall.fault(last);
  }

  private static void expectLine(ProvokedCall provoked, FlowProvocation provocation, Fault fault) {
    List<Map<String, Object>> lines =
        provoked.seen().lines().stream()
            .filter(line -> line.containsKey("fault") && !"tools/call".equals(line.get("method")))
            .toList();
    Severity severity = provocation.isRepeated() ? Severity.INFO : fault.severity();
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains(
            entry("level", severity.word()),
            entry("severity", severity == Severity.WARN ? "WARNING" : severity.name()),
            entry("dialect", "flow"),
            entry("code", provocation.words().code()),
            entry("fault", provocation.fault()));
  }

  /** The caller who waits is told that the task failed, and the call of the task is denied. */
  @Test
  void deniedCallOfATaskIsRecordedAsUnauthorized() throws IOException {
    String id = FlowTasksOverHttp.id(33);
    var _ =
        tasks()
            .result(
                "tasks.execute",
                "{\"tasks\":[%s]}".formatted(FlowTasksOverHttp.task(id, null, "delete_all")));
    await().until(() -> task(id).path("status").asText().equals("failed"));

    List<ErrorResponse> errors =
        node().events().stream()
            .filter(CallReceived.class::isInstance)
            .map(CallReceived.class::cast)
            .filter(call -> id.equals(call.taskId()))
            .map(call -> ProvokedCall.errorOf(node().events(call.correlationId()).getLast()))
            .toList();
    assertThat(errors).hasSize(1);
    assertThat(errors.getFirst().code()).isEqualTo(-32004);
    assertThat(errors.getFirst().data()).asString().contains(FlowProvocations.DENIAL);
  }

  static List<FlowExample> examples() {
    return FlowExample.all();
  }

  @ParameterizedTest
  @MethodSource("examples")
  void exampleOfTheRequirementIsAnsweredAsShown(FlowExample example) throws IOException {
    for (String request : example.before()) {
      assertThat(send(example, request).has("result")).as(request).isTrue();
    }

    JsonNode answered = send(example, example.request());

    JsonNode shown = JSON.readTree(example.response().replace('\'', '"'));
    ObjectNode data = (ObjectNode) answered.at("/error/data");
    assertThat(data.remove("correlation_id").asText()).isEqualTo("flow-" + calls.get());
    data.retain(namesOf(shown.at("/error/data"))); // the requirement allows more members
    assertThat(answered).isEqualTo(shown);
  }

  @Test
  void tasksAreAsTheRequirementShowsThem() throws IOException {
    for (FlowExample example : FlowExample.tasks()) {
      for (String request : example.before()) {
        assertThat(send(example, request).has("result")).as(request).isTrue();
        await().until(() -> status(example, "failed-task").equals("failed"));
      }
      ObjectNode task = (ObjectNode) send(example, example.request()).path("result");
      JsonNode shown = JSON5.readTree(example.response());
      task.retain(namesOf(shown)); // a whole task has more members
      assertThat(task).as(example.name()).isEqualTo(shown);
    }
  }

  private String status(FlowExample example, String id) throws IOException {
    String request =
        FlowExample.json("'id':1,'method':'tasks.get','params':{'task_id':'%s'}".formatted(id));
    return send(example, request).at("/result/status").asText();
  }

  private static List<String> namesOf(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  private JsonNode send(FlowExample example, String request) throws IOException {
    String token = example.token();
    return JSON.readTree(
        node()
            .post(
                example.path(),
                "flow-" + calls.incrementAndGet(),
                request.getBytes(UTF_8),
                token == null ? FlowTasksOverHttp.JOE : "Authorization: Bearer " + token)
            .body());
  }

  @Test
  void onlyFailedAndCancelledTasksHaveAnError() throws IOException {
    String failed = FlowTasksOverHttp.id(31);
    String dependent = FlowTasksOverHttp.id(32);
    var _ =
        tasks()
            .result(
                "tasks.execute",
                "{\"tasks\":[%s,%s]}"
                    .formatted(
                        FlowTasksOverHttp.task(dependent, null, "echo", failed),
                        FlowTasksOverHttp.task(failed, dependent, "web_crawler")));

    await().until(() -> task(failed).path("status").asText().equals("failed"));
    assertThat(task(failed).path("error").asText())
        .isEqualTo("Executor 'web_crawler' raised exception: Connection timeout after 30 seconds");
    assertThat(task(dependent).path("status").asText()).isEqualTo("pending");
    assertThat(task(dependent).path("error").isNull()).isTrue();
    assertThat(task(FlowTasksOverHttp.CANCELLED).path("error").asText())
        .isEqualTo("Cancelled by user");
    assertThat(task(FlowTasksOverHttp.COMPLETED).path("error").isNull()).isTrue();
  }

  private JsonNode task(String id) throws IOException {
    return tasks().result("tasks.get", "{\"task_id\":\"%s\"}".formatted(id));
  }

  @Test
  void methodsAreListedForCallersWithAToken() throws IOException {
    RawHttp.Answer listed = getMethods(FlowTasksOverHttp.JOE);

    assertThat(listed.status() + " " + listed.body()).isEqualTo("200 " + FlowMethod.list());
    assertThat(listed.headers()).contains("content-type: application/json");
    assertThat(JSON.readTree(listed.body()).path("methods").findValuesAsText("name"))
        .isEqualTo(List.of(FlowMethod.values()).stream().map(FlowMethod::wireName).toList());
  }

  @Test
  void methodsAreNotListedForAnUnknownToken() throws IOException {
    RawHttp.Answer refused = getMethods("Authorization: Bearer nobody-0123456789");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.headers()).contains("www-authenticate: bearer");
  }

  private RawHttp.Answer getMethods(String token) throws IOException {
    var at = node().at(Port.CALLERS);
    return RawHttp.request(at, "GET", "/flow/tasks/methods", "Host: localhost:" + at.port(), token);
  }

  private WatchedNode node() {
    return tasks().node();
  }

  private FlowTasksOverHttp tasks() {
    return Objects.requireNonNull(started);
  }
}
