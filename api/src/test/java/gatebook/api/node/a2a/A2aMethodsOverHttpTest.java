package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The methods of A2A over HTTP: status, code and record of each answer at each endpoint. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class A2aMethodsOverHttpTest {
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: forward}}
            """);
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a2a      | tasks/get | {'id':'t'} | 404 | -32000 | Task not found",
        "/a2a      | GetTask | {'id':'t'} | 404 | -32000 | Task not found",
        "/a2a/v0.3 | tasks/get | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a/v1   | GetTask | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a      | tasks/cancel | {'id':'t'} | 404 | -32000 | Task not found",
        "/a2a/v0.3 | tasks/cancel | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a/v1   | CancelTask | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a/v0.3 | tasks/resubscribe | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a/v1   | SubscribeToTask | {'id':'t'} | 200 | -32001 | Task not found",
        "/a2a      | message/send | user | 400 | -32000 | Unknown skill",
        "/a2a/v0.3 | message/send | user | 200 | -32602 |"
            + " Invalid parameters: message.metadata.skillId: no such skill",
        "/a2a/v1   | SendMessage | ROLE_USER | 200 | -32602 |"
            + " Invalid parameters: message.metadata.skillId: no such skill",
        "/a2a      | tasks/get | {} | 200 | -32602 |"
            + " Invalid params: id: Missing required field, expected string",
        "/a2a/v0.3 | tasks/get | {} | 200 | -32602 |"
            + " Invalid parameters: id: Missing required field, expected string",
        "/a2a/v1   | GetTask | [] | 200 | -32602 |"
            + " Invalid parameters: params: Wrong type, expected object",
        "/a2a      | message/stream | user | 400 | -32000 | Unknown skill",
        "/a2a/v0.3 | message/stream | user | 200 | -32602 |"
            + " Invalid parameters: message.metadata.skillId: no such skill",
        "/a2a/v1   | SendStreamingMessage | ROLE_USER | 200 | -32602 |"
            + " Invalid parameters: message.metadata.skillId: no such skill",
        "/a2a      | tasks/pushNotificationConfig/list | {'id':'t'} | 400 | -32000 |"
            + " Push notifications are not supported",
        "/a2a/v0.3 | tasks/pushNotificationConfig/list | {'id':'t'} | 200 | -32003 |"
            + " Push Notification is not supported",
        "/a2a/v1   | ListTaskPushNotificationConfigs | {'taskId':'t'} | 200 | -32003 |"
            + " Push Notification is not supported",
        "/a2a/v0.3 | agent/getAuthenticatedExtendedCard | {} | 200 | -32007 |"
            + " Authenticated Extended Card is not configured",
        "/a2a/v1   | GetExtendedAgentCard | {} | 200 | -32004 | This operation is not supported",
        "/a2a/v1   | message/send | user | 200 | -32601 | Method not found",
        "/a2a/v0.3 | SendMessage | ROLE_USER | 200 | -32601 | Method not found",
        "/a2a/v0.3 | ListTasks | {} | 200 | -32601 | Method not found",
        "/a2a/v1   | ListTasks | {'pageSize':0} | 200 | -32602 |"
            + " Invalid parameters: pageSize: Value out of range, expected 1-100",
        "/a2a      | tasks/list | {} | 200 | -32601 | Method not found"
      })
  void methodIsAnsweredInItsVersionsWords(
      String path, String method, String params, int status, int code, String message)
      throws IOException {
    String correlationId = "a2a-" + calls.incrementAndGet();

    Answer answer =
        post(
            path,
            correlationId,
            method,
            params.startsWith("{") || params.startsWith("[")
                ? params.replace('\'', '"')
                : ofUnknownSkill(params));

    JsonNode error = NodeReply.response(answer.body()).get("error");
    assertThat(answer.status() + " " + error.get("code") + " " + error.get("message").asText())
        .isEqualTo(status + " " + code + " " + message);
    assertThat(error.properties().stream().map(it -> it.getKey()))
        .containsExactly("code", "message", "data");
    assertThat(answer.body()).contains("\"correlation_id\":\"" + correlationId + "\"");
    List<Event> events = node().events(correlationId);
    assertThat(((CallReceived) events.getFirst()).method()).isEqualTo(method);
    assertThat(((ErrorTranslated) events.getLast()).told().code()).isEqualTo(code);
  }

  private static String ofUnknownSkill(String role) {
    return """
    {"message":{"messageId":"m","role":"%s","parts":[{%s"data":{}}],\
    "metadata":{"skillId":"dance"}}}\
    """
        .formatted(role, role.equals("user") ? "\"kind\":\"data\"," : "");
  }

  @Test
  void problemsOfParamsAreNamedInEachVersion() throws IOException {
    assertThat(post("/a2a/v0.3", "c", "tasks/get", "{\"id\":7}").body())
        .contains(
            """
            "reason":"invalid-params","param":"id","expected":"string","received":7}\
            """);
    assertThat(post("/a2a/v1", "c", "GetTask", "{\"id\":7,\"historyLength\":-1}").body())
        .contains(
            """
            "fieldViolations":[{"field":"id","description":"Wrong type, expected string, \
            received 7"},{"field":"historyLength","description":"Value out of range, \
            expected at least 0, received -1"}]}]\
            """);
  }

  @ParameterizedTest
  @CsvSource({"/a2a/v1,-32005", "/a2a/v0.3,-32600", "/a2a,-32600"})
  void bodyOfAnotherMediaTypeHasTheCodeOfTheVersion(String path, int code) throws IOException {
    Answer answer =
        node()
            .send(
                Port.CALLERS,
                path,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"SendMessage\"}".getBytes(UTF_8),
                "Content-Type: text/plain");

    JsonNode error = NodeReply.response(answer.body()).path("error");
    assertThat(answer.status() + " " + error.path("code")).isEqualTo("200 " + code);
    assertThat(error.at("/data/0/reason").asText())
        .isEqualTo(code == -32_005 ? "CONTENT_TYPE_NOT_SUPPORTED" : "");
  }

  private Answer post(String path, String correlationId, String method, String params)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    return node().post(path, correlationId, body.getBytes(UTF_8));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
