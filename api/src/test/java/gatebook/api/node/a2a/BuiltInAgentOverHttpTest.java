package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.TaskCreated;
import gatebook.events.fault.TaskFault.InvalidStateTransition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The built-in agent over HTTP: each tool is a skill, and each message that calls one is a task.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BuiltInAgentOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";
  private static final String UNKNOWN_TASK =
      "gb_01a209f98aa27000994d03b8d277c508d563eee9f7c37f1b6b72c1df27c3027e";

  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - {id: dead, kind: mcp, prefix: dead_, url: "http://127.0.0.1:1/mcp"}
              - {id: demo, kind: demo}
            governance:
              defaults: {action: forward}
              rules:
                - {match: "delete_all", action: deny}
                - {match: "deploy", action: approve, approval: ops}
            approval:
              ops: {timeout: 10m}
            principals:
              - {name: joe, token_hash: "%s"}
              - {name: ann, token_hash: "%s"}
            operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
            """
                .formatted(
                    WatchedNode.hash(JOE),
                    WatchedNode.hash(ANN),
                    WatchedNode.hash(NodeCaller.ALICE)));
  }

  @AfterAll
  void stop() {
    node().close();
  }

  /** A response, with the correlation id of the request. */
  private record Exchange(String correlationId, JsonNode response) {
    JsonNode result() {
      assertThat(response.path("error").isMissingNode()).as("%s", response).isTrue();
      return response.path("result");
    }

    String error() {
      JsonNode error = response.path("error");
      return error.path("code").asInt() + " " + error.path("message").asText();
    }
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void messageCallsTheSkillAndTheTaskHasItsResult(A2aWireVersion version) throws IOException {
    Exchange sent = send(version, "echo", "{\"a\":1}", true);

    JsonNode task = version.task(sent.result());
    TaskCreated created = (TaskCreated) node().events(sent.correlationId).get(3);
    assertThat(task.path("id").asText()).isEqualTo(created.taskId());
    assertThat(task.path("contextId").asText()).isEqualTo(created.callId().toString());
    assertThat(task.at("/status/state").asText()).isEqualTo(version.state("completed"));
    assertThat(task.at("/artifacts/0/parts/0/data")).isEqualTo(JSON.readTree("{\"a\":1}"));
    assertThat(task.at("/history/0/messageId").asText()).isEqualTo(sent.correlationId);
    assertThat(task.at("/history/0/parts/0/data")).isEqualTo(JSON.readTree("{\"a\":1}"));
    assertThat(names(sent))
        .containsExactly(
            "CallReceived",
            "CallAdmitted",
            "CallForwarded",
            "TaskCreated",
            "ResultKept",
            "CallAnswered");
    CallReceived received = (CallReceived) node().events(sent.correlationId).getFirst();
    assertThat(received.target()).isEqualTo("echo");
    assertThat(received.taskId()).isEqualTo(created.taskId());
    assertThat(get(version, created.taskId(), JOE).result()).isEqualTo(task);
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void messageThatDoesNotWaitReturnsTheTaskAtOnce(A2aWireVersion version) throws IOException {
    Exchange sent = send(version, "echo", "{}", false);

    JsonNode task = version.task(sent.result());
    assertThat(task.at("/status/state").asText()).isEqualTo(version.state("working"));
    String id = task.path("id").asText();
    Awaitility.await()
        .untilAsserted(() ->
            assertThat(get(version, id, JOE).result().at("/status/state").asText())
                .isEqualTo(version.state("completed")));
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void heldMessageIsSubmittedAndGoesOnWhenApproved(A2aWireVersion version) throws IOException {
    Exchange sent = send(version, "deploy", "{\"version\":\"1\"}", false);
    JsonNode task = version.task(sent.result());
    String id = task.path("id").asText();

    assertThat(task.at("/status/state").asText()).isEqualTo(version.state("submitted"));
    assertThat(task.at("/status/message/parts/0/text").asText()).startsWith("Waits for approval");
    node().decide(sent.correlationId, true, "fine");

    Awaitility.await()
        .untilAsserted(() ->
            assertThat(get(version, id, JOE).result().at("/status/state").asText())
                .isEqualTo(version.state("completed")));
    assertThat(names(sent))
        .containsExactly(
            "CallReceived",
            "ApprovalRequested",
            "TaskCreated",
            "ApprovalGranted",
            "CallAdmitted",
            "CallForwarded",
            "ResultKept",
            "CallAnswered");
  }

  @ParameterizedTest
  @CsvSource({"V03,true", "V1,false"})
  void senderThatWaitsGetsTheDecision(A2aWireVersion version, boolean approved) throws IOException {
    String correlationId = "wait-" + calls.incrementAndGet();
    String params = version.skillMessage(correlationId, "deploy", "{\"version\":\"1\"}", true);
    CompletableFuture<Exchange> sent =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return call(version.path(), version.send, params, JOE, correlationId);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            task -> Thread.ofVirtual().start(task));
    Awaitility.await()
        .until(() -> node().events(correlationId).stream().anyMatch(TaskCreated.class::isInstance));

    node().decide(correlationId, approved, "because");

    if (approved) {
      assertThat(version.task(sent.join().result()).at("/status/state").asText())
          .isEqualTo(version.state("completed"));
    } else {
      assertThat(sent.join().error()).startsWith("-32004 ");
    }
  }

  @ParameterizedTest
  @CsvSource({"V03,delete_all", "V1,delete_all"})
  void deniedMessageIsTypedErrorAndNoTask(A2aWireVersion version, String skill) throws IOException {
    Exchange sent = send(version, skill, "{}", true);

    assertThat(sent.error()).isEqualTo("-32004 This operation is not supported");
    assertThat(names(sent)).containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
  }

  @Test
  void vaporaHasItsOwnCodesAndStatuses() throws IOException {
    assertThat(
            status(
                "/a2a",
                "message/send",
                A2aWireVersion.V03.skillMessage("m1", "delete_all", "{}", true)))
        .isEqualTo("403 -32000");
    assertThat(
            status(
                "/a2a",
                "message/send",
                A2aWireVersion.V03.skillMessage("m2", "no-such", "{}", true)))
        .isEqualTo("400 -32000");
    assertThat(status("/a2a", "tasks/get", "{\"id\":\"%s\"}".formatted(UNKNOWN_TASK)))
        .isEqualTo("404 -32000");
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void unknownSkillIsRefused(A2aWireVersion version) throws IOException {
    Exchange sent = send(version, "no-such", "{}", true);

    assertThat(sent.error())
        .isEqualTo("-32602 Invalid parameters: message.metadata.skillId: no such skill");
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void failedToolIsFailedTask(A2aWireVersion version) throws IOException {
    Exchange sent = send(version, "dead_tool", "{}", true);

    JsonNode task = version.task(sent.result());
    assertThat(task.at("/status/state").asText()).isEqualTo(version.state("failed"));
    assertThat(task.at("/status/message/parts/0/text").asText()).isNotBlank();
    assertThat(task.has("artifacts")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void tasksOfOthersAreNotFound(A2aWireVersion version) throws IOException {
    String id = version.task(send(version, "echo", "{}", true).result()).path("id").asText();
    String params = "{\"id\":\"%s\"}".formatted(id);

    for (String method : List.of(version.get, version.cancel)) {
      Exchange foreign = call(version.path(), method, params, ANN, correlationId());
      Exchange unknown =
          call(
              version.path(),
              method,
              "{\"id\":\"%s\"}".formatted(UNKNOWN_TASK),
              ANN,
              correlationId());
      assertThat(foreign.error()).isEqualTo("-32001 Task not found");
      assertThat(
              foreign.response.toString().replace(foreign.correlationId, "").replace(id, "its id"))
          .isEqualTo(
              unknown
                  .response
                  .toString()
                  .replace(unknown.correlationId, "")
                  .replace(UNKNOWN_TASK, "its id"))
          .contains("its id");
    }
  }

  @ParameterizedTest
  @CsvSource({"V03", "V1"})
  void submittedTaskIsCancelledOnceAndAnEndedOneIsNot(A2aWireVersion version) throws IOException {
    String held =
        version
            .task(send(version, "deploy", "{\"version\":\"1\"}", false).result())
            .path("id")
            .asText();
    String done = version.task(send(version, "echo", "{}", true).result()).path("id").asText();

    for (int time = 0; time < 2; time++) {
      assertThat(cancel(version, held).result().at("/status/state").asText())
          .isEqualTo(version.state("canceled"));
    }
    assertThat(cancel(version, done).error()).isEqualTo("-32002 Task cannot be canceled");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"text\":\"hello\"}]",
        "[{\"data\":1}]",
        "[{\"data\":{}},{\"data\":{}}]",
        "[]",
      })
  void partsMustBeOneObject(String parts) throws IOException {
    Exchange sent = sendParts(parts, "\"metadata\":{\"skillId\":\"echo\"},");

    assertThat(sent.error()).startsWith("-32602 Invalid parameters: message.parts: ");
  }

  @Test
  void messageWithoutSkillSaysWhatIsMissing() throws IOException {
    Exchange sent = sendParts("[{\"data\":{}}]", "");

    assertThat(sent.error())
        .isEqualTo(
            "-32602 Invalid parameters: message.metadata.skillId:"
                + " expected the id of a skill in the agent card");
  }

  @Test
  void filesAreNotSupported() throws IOException {
    Exchange sent =
        sendParts(
            "[{\"raw\":\"AA==\",\"mediaType\":\"image/png\"}]",
            "\"metadata\":{\"skillId\":\"echo\"},");

    assertThat(sent.error()).isEqualTo("-32005 Incompatible content types");
  }

  @Test
  void taskTakesNoSecondMessage() throws IOException {
    String id = send(A2aWireVersion.V1, "echo", "{}", true).result().at("/task/id").asText();

    Exchange second = sendParts("[{\"data\":{}}]", "\"taskId\":\"%s\",".formatted(id));
    assertThat(second.error()).isEqualTo("-32004 This operation is not supported");
    assertThat(ProvokedCall.fault(node().events(second.correlationId).getLast()))
        .isInstanceOfSatisfying(
            InvalidStateTransition.class,
            fault ->
                assertThat(fault.current() + " " + fault.target())
                    .isEqualTo("TASK_STATE_COMPLETED TASK_STATE_WORKING"));
    assertThat(sendParts("[{\"data\":{}}]", "\"taskId\":\"%s\",".formatted(UNKNOWN_TASK)).error())
        .isEqualTo("-32001 Task not found");
  }

  @Test
  void historyIsLeftOutOnRequest() throws IOException {
    String id = send(A2aWireVersion.V1, "echo", "{}", true).result().at("/task/id").asText();

    JsonNode task =
        call(
                "/a2a/v1",
                "GetTask",
                "{\"id\":\"%s\",\"historyLength\":0}".formatted(id),
                JOE,
                correlationId())
            .result();
    assertThat(task.has("history")).isFalse();
    assertThat(task.has("artifacts")).isTrue();
  }

  @Test
  void conversationOfTheMessageIsKept() throws IOException {
    JsonNode task =
        sendParts("[{\"data\":{}}]", "\"contextId\":\"c-7\",\"metadata\":{\"skillId\":\"echo\"},")
            .result()
            .at("/task");

    assertThat(task.path("contextId").asText()).isEqualTo("c-7");
  }

  private Exchange sendParts(String parts, String members) throws IOException {
    String id = correlationId();
    return call(
        "/a2a/v1",
        "SendMessage",
        """
        {"message":{"role":"ROLE_USER","messageId":"%s",%s"parts":%s}}\
        """
            .formatted(id, members, parts),
        JOE,
        id);
  }

  private Exchange send(A2aWireVersion version, String skill, String data, boolean waits)
      throws IOException {
    String id = correlationId();
    return call(
        version.path(), version.send, version.skillMessage(id, skill, data, waits), JOE, id);
  }

  private Exchange get(A2aWireVersion version, String id, String token) throws IOException {
    return call(
        version.path(), version.get, "{\"id\":\"%s\"}".formatted(id), token, correlationId());
  }

  private Exchange cancel(A2aWireVersion version, String id) throws IOException {
    return call(
        version.path(), version.cancel, "{\"id\":\"%s\"}".formatted(id), JOE, correlationId());
  }

  private String correlationId() {
    return "agent-" + calls.incrementAndGet();
  }

  private Exchange call(
      String path, String method, String params, String token, String correlationId)
      throws IOException {
    return new Exchange(
        correlationId, JSON.readTree(post(path, method, params, token, correlationId).body()));
  }

  private String status(String path, String method, String params) throws IOException {
    RawHttp.Answer answer = post(path, method, params, JOE, correlationId());
    return answer.status() + " " + JSON.readTree(answer.body()).at("/error/code").asInt();
  }

  private RawHttp.Answer post(
      String path, String method, String params, String token, String correlationId)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    return node().post(path, correlationId, body.getBytes(UTF_8), "Authorization: Bearer " + token);
  }

  private List<String> names(Exchange exchange) {
    return node().events(exchange.correlationId).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
