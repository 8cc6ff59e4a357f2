package gatebook.api.node.a2a;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.Event;
import gatebook.events.TaskCreated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are sent again to the built-in agent over HTTP. */
@Timeout(300)
final class DuplicateMessagesOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";

  @TempDir private Path folder;

  private @Nullable WatchedNode started;

  @BeforeEach
  void start() throws IOException {
    start(600_000);
  }

  private void start(long keptMillis) throws IOException {
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance:
              defaults: {action: forward}
              rules: [{match: "deploy", action: approve, approval: ops}]
            approval: {ops: {timeout: 10m}}
            limits: {agent_message_kept_millis: %d}
            principals:
              - {name: joe, token_hash: "%s"}
              - {name: ann, token_hash: "%s"}
            operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
            """
                .formatted(
                    keptMillis,
                    WatchedNode.hash(JOE),
                    WatchedNode.hash(ANN),
                    WatchedNode.hash(NodeCaller.ALICE)));
  }

  @AfterEach
  void stop() {
    node().close();
  }

  @Test
  void messageSentAgainHasTheSameTaskAndOneEffect() throws IOException {
    JsonNode first = send("first", "m", "echo", "{\"a\":1}", JOE).path("result");
    JsonNode again = send("again", "m", "echo", "{\"a\":1}", JOE).path("result");

    assertThat(first.at("/task/status/state").asText()).isEqualTo("TASK_STATE_COMPLETED");
    assertThat(again).isEqualTo(first);
    assertThat(names("again")).containsExactly("CallReceived", "CallAdmitted", "CallAnswered");
  }

  @Test
  void messageOfAnotherVersionIsTheSame() throws IOException {
    String id = taskId(send("first", "m", "echo", "{\"a\":1}", JOE));

    JsonNode old =
        post(
                "/a2a/v0.3",
                "old",
                "message/send",
                """
                {"message":{"kind":"message","role":"user","messageId":"m",\
                "metadata":{"skillId":"echo"},"parts":[{"kind":"data","data":{"a":1}}]}}\
                """,
                JOE)
            .path("result");

    assertThat(old.path("id").asText()).isEqualTo(id);
    assertThat(old.at("/status/state").asText()).isEqualTo("completed");
  }

  @Test
  void messageSentAgainAfterARestartHasTheSameTask() throws IOException {
    JsonNode first = send("first", "m", "echo", "{}", JOE).path("result");
    stop();
    start();

    assertThat(send("again", "m", "echo", "{}", JOE).path("result")).isEqualTo(first);
    assertThat(names("again")).doesNotContain("TaskCreated");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"echo | {\"a\":2}", "deploy | {}"})
  void otherContentIsANewMessage(String skill, String data) throws IOException {
    String id = taskId(send("first", "m", "echo", "{}", JOE));

    String message = A2aWireVersion.V1.skillMessage("m", skill, data, false);
    String other = taskId(post("/a2a/v1", "other", "SendMessage", message, JOE));

    assertThat(other).isNotEqualTo(id);
    assertThat(names("other")).contains("TaskCreated");
    assertThat(node().lines("other"))
        .extracting(line -> line.get("level") + " " + line.get("operation"))
        .containsExactly("info SendMessage");
    assertThat(node().get("/metrics").body().lines())
        .contains("gatebook_a2a_message_ids_used_again_total 1.0");
    assertThat(taskId(post("/a2a/v1", "again", "SendMessage", message, JOE))).isEqualTo(other);
    assertThat(taskId(send("again", "m", "echo", "{}", JOE))).isEqualTo(id);
    assertThat(node().lines("again")).isEmpty();
  }

  @Test
  void messageOfAnotherCallerIsAnotherOne() throws IOException {
    String joes = taskId(send("joe", "m", "echo", "{\"a\":1}", JOE));
    String anns = taskId(send("ann", "m", "echo", "{\"a\":2}", ANN));

    assertThat(anns).isNotEqualTo(joes);
    assertThat(taskId(send("ann2", "m", "echo", "{\"a\":2}", ANN))).isEqualTo(anns);
  }

  @Test
  void concurrentMessagesHaveOneTask() {
    List<CompletableFuture<JsonNode>> sent =
        IntStream.range(0, 8).mapToObj(i -> sending("c" + i, "m", "echo", "{}")).toList();

    assertThat(
            sent.stream().map(CompletableFuture::join).map(DuplicateMessagesOverHttpTest::taskId))
        .hasSize(8)
        .containsOnly(taskId(sent.getFirst().join()));
    assertThat(
            IntStream.range(0, 8)
                .mapToObj(i -> node().events("c" + i))
                .flatMap(List::stream)
                .filter(TaskCreated.class::isInstance))
        .hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void sendersThatWaitGetTheSameDecision(boolean approved) throws IOException {
    CompletableFuture<JsonNode> first = sending("first", "m", "deploy", "{\"version\":\"1\"}");
    Awaitility.await().until(() -> has("first", TaskCreated.class));
    CompletableFuture<JsonNode> again = sending("again", "m", "deploy", "{\"version\":\"1\"}");
    Awaitility.await().until(() -> node().events("again").size() == 2);
    node().decide("first", approved, "because");

    if (approved) {
      assertThat(first.join().at("/result/task/status/state").asText())
          .isEqualTo("TASK_STATE_COMPLETED");
      assertThat(again.join().path("result")).isEqualTo(first.join().path("result"));
    } else {
      assertThat(first.join().at("/error/code").asInt()).isEqualTo(-32004);
      assertThat(again.join().at("/error/message")).isEqualTo(first.join().at("/error/message"));
      assertThat(again.join().at("/error/code").asInt()).isEqualTo(-32004);
    }
  }

  @Test
  void limitSaysHowLongAMessageIsKept() throws IOException {
    stop();
    start(0);
    String first = taskId(send("first", "m", "echo", "{}", JOE));

    assertThat(taskId(send("again", "m", "echo", "{}", JOE))).isNotEqualTo(first);
    assertThat(names("again")).contains("TaskCreated");
  }

  private CompletableFuture<JsonNode> sending(
      String correlationId, String messageId, String skill, String data) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return send(correlationId, messageId, skill, data, JOE);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  private JsonNode send(
      String correlationId, String messageId, String skill, String data, String token)
      throws IOException {
    return post(
        "/a2a/v1",
        correlationId,
        "SendMessage",
        """
        {"message":{"role":"ROLE_USER","messageId":"%s","metadata":{"skillId":"%s"},\
        "parts":[{"data":%s}]}}\
        """
            .formatted(messageId, skill, data),
        token);
  }

  private JsonNode post(
      String path, String correlationId, String method, String params, String token)
      throws IOException {
    String body =
        """
        {"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\
        """
            .formatted(method, params);
    return JSON.readTree(
        node()
            .post(path, correlationId, body.getBytes(UTF_8), "Authorization: Bearer " + token)
            .body());
  }

  private static String taskId(JsonNode response) {
    String id = response.at("/result/task/id").asText();
    assertThat(id).as("%s", response).isNotEmpty();
    return id;
  }

  private List<String> names(String correlationId) {
    return node().events(correlationId).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private boolean has(String correlationId, Class<? extends Event> type) {
    return node().events(correlationId).stream().anyMatch(type::isInstance);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
