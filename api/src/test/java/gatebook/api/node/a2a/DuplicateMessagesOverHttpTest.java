package gatebook.api.node.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.TestCallers;
import gatebook.api.node.TestNodes;
import gatebook.api.node.WatchedNode;
import gatebook.events.Event;
import gatebook.events.TaskCreated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that are sent again to the built-in agent over HTTP. */
@Timeout(300)
final class DuplicateMessagesOverHttpTest {
  private static final String USED_AGAIN = "gatebook_a2a_message_ids_used_again_total";
  private static final TestCallers CALLERS = new TestCallers(20);
  private static final AtomicInteger TESTS = new AtomicInteger();

  @RegisterExtension static final TestNodes NODES = new TestNodes();

  private final int test = TESTS.incrementAndGet();
  private final String joe = CALLERS.next();
  private final String ann = CALLERS.next();
  private @Nullable WatchedNode started;

  @BeforeEach
  void start() throws IOException {
    started = NODES.shared(rules(600_000));
  }

  private static String rules(long keptMillis) {
    return """
    schema: 1
    sources: [{id: demo, kind: demo}]
    governance:
      defaults: {action: forward}
      rules: [{match: "deploy", action: approve, approval: ops}]
    approval: {ops: {timeout: 10m}}
    limits: {agent_message_kept_millis: %d}
    operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
    """
            .formatted(keptMillis, WatchedNode.hash(NodeCaller.ALICE))
        + CALLERS.principals();
  }

  @Test
  void messageSentAgainHasTheSameTaskAndOneEffect() throws IOException {
    JsonNode first = send("first", "m", "echo", "{\"a\":1}", joe).path("result");
    JsonNode again = send("again", "m", "echo", "{\"a\":1}", joe).path("result");

    assertThat(first.at("/task/status/state").asText()).isEqualTo("TASK_STATE_COMPLETED");
    assertThat(again).isEqualTo(first);
    assertThat(names("again")).containsExactly("CallReceived", "CallAdmitted", "CallAnswered");
  }

  @Test
  void messageOfAnotherVersionIsTheSame() throws IOException {
    String id = taskId(send("first", "m", "echo", "{\"a\":1}", joe));

    JsonNode old =
        post(
                "/a2a/v0.3",
                "old",
                "message/send",
                """
                {"message":{"kind":"message","role":"user","messageId":"m",\
                "metadata":{"skillId":"echo"},"parts":[{"kind":"data","data":{"a":1}}]}}\
                """,
                joe)
            .path("result");

    assertThat(old.path("id").asText()).isEqualTo(id);
    assertThat(old.at("/status/state").asText()).isEqualTo("completed");
  }

  @Test
  void messageSentAgainAfterARestartHasTheSameTask() throws IOException {
    Path folder = NODES.folder();
    started = NODES.own(folder, rules(600_000));
    JsonNode first = send("first", "m", "echo", "{}", joe).path("result");
    node().close();
    started = NODES.own(folder, rules(600_000));

    assertThat(send("again", "m", "echo", "{}", joe).path("result")).isEqualTo(first);
    assertThat(names("again")).doesNotContain("TaskCreated");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"echo | {\"a\":2}", "deploy | {}"})
  void otherContentIsANewMessage(String skill, String data) throws IOException {
    Map<String, Double> before = node().counted(USED_AGAIN);
    String id = taskId(send("first", "m", "echo", "{}", joe));

    String message = A2aWireVersion.V1.skillMessage("m", skill, data, false);
    String other = taskId(post("/a2a/v1", "other", "SendMessage", message, joe));

    assertThat(other).isNotEqualTo(id);
    assertThat(names("other")).contains("TaskCreated");
    assertThat(node().lines(id("other")))
        .extracting(line -> line.get("level") + " " + line.get("operation"))
        .containsExactly("info SendMessage");
    assertThat(node().increments(USED_AGAIN, before)).isEqualTo(Map.of(USED_AGAIN, 1.0));
    assertThat(taskId(post("/a2a/v1", "again", "SendMessage", message, joe))).isEqualTo(other);
    assertThat(taskId(send("again", "m", "echo", "{}", joe))).isEqualTo(id);
    assertThat(node().lines(id("again"))).isEmpty();
  }

  @Test
  void messageOfAnotherCallerIsAnotherOne() throws IOException {
    String joes = taskId(send("joe", "m", "echo", "{\"a\":1}", joe));
    String anns = taskId(send("ann", "m", "echo", "{\"a\":2}", ann));

    assertThat(anns).isNotEqualTo(joes);
    assertThat(taskId(send("ann2", "m", "echo", "{\"a\":2}", ann))).isEqualTo(anns);
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
                .mapToObj(i -> node().events(id("c" + i)))
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
    Awaitility.await().until(() -> node().events(id("again")).size() == 2);
    node().decide(id("first"), approved, "because");

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
    started = NODES.own(rules(0));
    String first = taskId(send("first", "m", "echo", "{}", joe));

    assertThat(taskId(send("again", "m", "echo", "{}", joe))).isNotEqualTo(first);
    assertThat(names("again")).contains("TaskCreated");
  }

  private CompletableFuture<JsonNode> sending(
      String correlationId, String messageId, String skill, String data) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return send(correlationId, messageId, skill, data, joe);
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
    return node()
        .as(token)
        .send(path, id(correlationId), NodeCaller.request(method, params))
        .response();
  }

  /** The correlation id of a request of this test. */
  private String id(String name) {
    return name + "-" + test;
  }

  private static String taskId(JsonNode response) {
    String id = response.at("/result/task/id").asText();
    assertThat(id).as("%s", response).isNotEmpty();
    return id;
  }

  private List<String> names(String correlationId) {
    return node().events(id(correlationId)).stream()
        .map(event -> event.getClass().getSimpleName())
        .toList();
  }

  private boolean has(String correlationId, Class<? extends Event> type) {
    return node().events(id(correlationId)).stream().anyMatch(type::isInstance);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
