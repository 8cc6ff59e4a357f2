package gatebook.api.node.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.flow.WebhookReceiver;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.events.TreeEvent;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhooks of executions, as their receivers, callers and operators see them. */
@Timeout(300)
final class WebhooksOverHttpTest {
  private static final String JOE = "joe-token-0123456789abcdef";

  /** Nothing in them looks like a secret. */
  private static final String IN_QUERY = "quiet-river-1";

  private static final String IN_PATH = "blue-door-3";

  private static final String IN_HEADER = "green-table-2";
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;

  private final WebhookReceiver receiver = new WebhookReceiver();
  private final String root = UUID.randomUUID().toString();
  private WatchedNode node;

  @BeforeEach
  void start() throws IOException {
    node =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources: [{id: demo, kind: demo}]
            governance: {defaults: {action: forward}}
            record: {results: redacted}
            webhooks: {allow: ["%s"]}
            principals: [{name: joe, token_hash: "%s"}]
            operators: [{name: alice, token_hash: "%s", roles: [view, arguments]}]
            """
                .formatted(
                    receiver.url("/in/"),
                    WatchedNode.hash(JOE),
                    WatchedNode.hash(NodeCaller.ALICE)));
  }

  @AfterEach
  void stop() {
    node.close();
    receiver.close();
  }

  @Test
  void aReceiverIsToldEachFactInOrder() throws IOException {
    assertThat(execute(webhook(receiver.url("/in/a?t=" + IN_QUERY))).has("result")).isTrue();

    List<JsonNode> bodies = Stream.generate(this::body).limit(3).toList();
    assertThat(bodies.stream().map(WebhooksOverHttpTest::withoutTime))
        .containsExactly(
            expected("in_progress", "0.0", "Task started", "task_start", false, ""),
            expected(
                "completed", "1.0", "Task completed", "task_completed", false, ",\"result\":%s"),
            expected("completed", "1.0", "Execution completed", "final", true, ",\"result\":%s"));
    await().until(() -> webhookOfTree().path("state").asText().equals("delivered"));
    assertThat(receiver.received()).isZero();
  }

  private String expected(
      String status, String progress, String message, String type, boolean isFinal, String result) {
    return """
    {"protocol":"jsonrpc","root_task_id":"%s","task_id":"%s","status":"%s","progress":%s,\
    "message":"%s","type":"%s","timestamp":"","final":%b%s}\
    """
        .formatted(
            root, root, status, progress, message, type, isFinal, result.formatted("{\"n\":1}"));
  }

  private static String withoutTime(JsonNode body) {
    return body.toString().replaceAll("\"timestamp\":\"[^\"]+\"", "\"timestamp\":\"\"");
  }

  private JsonNode body() {
    try {
      return JSON.readTree(receiver.next().body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void noRecordAndNoAnswerHasTheSecrets() throws IOException {
    JsonNode answer =
        node.call(
            Port.CALLERS,
            "/flow/tasks",
            "tasks.execute",
            params(webhook(receiver.url("/in/%s?t=%s".formatted(IN_PATH, IN_QUERY)))),
            "Authorization: Bearer " + JOE);
    assertThat(answer.at("/result/webhook_url").asText()).isEqualTo(receiver.url("/in/[REDACTED]"));
    WebhookReceiver.Received received = receiver.next();
    assertThat(received.line()).isEqualTo("PUT /in/%s?t=%s".formatted(IN_PATH, IN_QUERY));
    assertThat(received.header("X-Green")).isEqualTo(IN_HEADER);
    await().until(() -> webhookOfTree().path("last").asBoolean());

    JsonNode shown = webhookOfTree();
    assertThat(shown.path("url").asText()).isEqualTo(receiver.url("/in/[REDACTED]"));
    assertThat(
            Stream.of(
                    node.stored().stream(),
                    node.allLines().stream(),
                    Stream.of(
                        operator("audit.trees", "{}").toString(),
                        operator("audit.lookup", "{\"id\":\"%s\"}".formatted(root)).toString(),
                        operator("audit.calls", "{}").toString(),
                        node.get("/metrics").body()))
                .flatMap(texts -> texts))
        .noneMatch(
            text -> text.contains(IN_QUERY) || text.contains(IN_PATH) || text.contains(IN_HEADER));
  }

  @Test
  void aRefusedMessageIsGivenUp() throws IOException {
    receiver.respond(404, Map.of());
    receiver.respond(302, Map.of("Location", receiver.url("/in/other")));

    JsonNode _ = execute(webhook(receiver.url("/in/a")));

    await().until(() -> webhookOfTree().path("last").asBoolean());
    assertThat(webhookOfTree().path("attempt").asInt()).isEqualTo(1);
    List<String> lines = Stream.generate(() -> receiver.next().line()).limit(2).toList();
    assertThat(lines).containsOnly("PUT /in/a");
    assertThat(outcomes()).startsWith("task_start 404 true");
    assertThat(node.get("/metrics").body())
        .contains("gatebook_webhook_deliveries_total{outcome=\"given_up\"}");
  }

  @Test
  void aSlowReceiverDoesNotHoldUpTheTree() throws IOException {
    receiver.hold("");

    JsonNode _ = execute(webhook(receiver.url("/in/a")));

    await().until(() -> status().equals("completed"));
    assertThat(receiver.next().body()).contains("task_start");
    assertThat(outcomes()).isEmpty();
    receiver.release();
    await().until(() -> webhookOfTree().path("last").asBoolean());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:1/in/a",
        "https://127.0.0.1/in/a",
        "http://example.com/in/a",
        "http://[::1]:9/in/a"
      })
  void anAddressThatIsNotAllowedStartsNothing(String url) throws IOException {
    JsonNode error = execute(webhook(url)).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32602);
    assertThat(error.path("data").toString())
        .contains("\"field\":\"webhook_config.url\"", "\"reason\":\"Address not allowed\"")
        .doesNotContain("127.0.0.1", "/in/");
    assertThat(treeEvents()).isEmpty();
    assertThat(receiver.received()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"user:pw@", "user@"})
  void aUrlWithAUserIsRefused(String user) throws IOException {
    String url = receiver.url("/in/a").replace("http://", "http://" + user);

    assertThat(execute(webhook(url)).at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(treeEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host", "transfer-encoding", "Content-Length"})
  void headersOfTheTransportAreRefused(String name) throws IOException {
    String config = webhook(receiver.url("/in/a")).replace("X-Green", name);

    assertThat(execute(config).at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(treeEvents()).isEmpty();
  }

  private List<TreeEvent> treeEvents() {
    return node.events().stream()
        .filter(TreeEvent.class::isInstance)
        .map(TreeEvent.class::cast)
        .toList();
  }

  private List<String> outcomes() {
    return treeEvents().stream()
        .flatMap(event ->
            switch (event) {
              case TreeWebhookDelivered delivered ->
                  Stream.of(delivered.type() + " " + delivered.status());
              case TreeWebhookFailed failed ->
                  Stream.of(failed.type() + " " + failed.status() + " " + failed.givenUp());
              default -> Stream.<String>empty();
            })
        .toList();
  }

  private static String webhook(String url) {
    return """
    {"url":"%s","headers":{"X-Green":"%s"},"method":"PUT","timeout":20,"max_retries":1}\
    """
        .formatted(url, IN_HEADER);
  }

  private JsonNode execute(String webhook) throws IOException {
    return request("tasks.execute", params(webhook));
  }

  private String params(String webhook) {
    String task =
        """
        {"id":"%s","name":"one","schemas":{"method":"echo"},"inputs":{"n":1}}\
        """
            .formatted(root);
    return "{\"tasks\":[%s],\"webhook_config\":%s}".formatted(task, webhook);
  }

  private String status() throws IOException {
    return request("tasks.get", "{\"task_id\":\"%s\"}".formatted(root))
        .at("/result/status")
        .asText();
  }

  private JsonNode webhookOfTree() throws IOException {
    return operator("audit.trees", "{}").at("/result/trees/0/webhook");
  }

  private JsonNode operator(String method, String params) throws IOException {
    return node.operator(NodeCaller.ALICE, method, params);
  }

  private JsonNode request(String method, String params) throws IOException {
    return node.call(Port.CALLERS, "/flow", method, params, "Authorization: Bearer " + JOE);
  }
}
