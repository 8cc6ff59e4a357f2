package gatebook.api.node.a2a;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.data.DataDirectory;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams of the built-in agent at two nodes of one database, as clients of A2A see them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class AgentStreamsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String JOE = "joe-token-0123456789abcdef";
  private static final String ANN = "ann-token-0123456789abcdef";
  private static final List<String> KEYS = List.of("checkpoint.key", "keys/wrapping.key");

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger calls = new AtomicInteger();
  private @Nullable WatchedNode runner;
  private @Nullable WatchedNode other;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    SharedLocation database = Journals.freshSchema();
    runner = start(folder.resolve("runner"), "", database);
    copyKeys(folder.resolve("runner/data"), folder.resolve("other/data"));
    other = start(folder.resolve("other"), "", database);
  }

  private static WatchedNode start(Path folder, String limits, SharedLocation database)
      throws IOException {
    return WatchedNode.start(
        Files.createDirectories(folder),
        """
        schema: 1
        sources: [{id: demo, kind: demo}]
        governance:
          defaults: {action: forward}
          rules:
            - {match: "delete_all", action: deny}
            - {match: "deploy", action: approve, approval: ops}
        approval: {ops: {timeout: 10m}}
        limits: {%s}
        principals:
          - {name: joe, token_hash: "%s"}
          - {name: ann, token_hash: "%s"}
        operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
        """
            .formatted(
                limits,
                WatchedNode.hash(JOE),
                WatchedNode.hash(ANN),
                WatchedNode.hash(NodeCaller.ALICE)),
        database);
  }

  /** Nodes that share a database share their keys. */
  private static void copyKeys(Path from, Path to) throws IOException {
    ((DataDirectory.Opening.Opened) DataDirectory.open(to)).directory().close();
    for (String key : KEYS) {
      Files.createDirectories(to.resolve(key).getParent());
      Files.copy(from.resolve(key), to.resolve(key), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  @AfterAll
  void stop() {
    Stream.of(other, runner).filter(node -> node != null).forEach(WatchedNode::close);
    http.shutdownNow();
  }

  @ParameterizedTest
  @EnumSource
  void streamTellsOfTheTaskUntilItsEnd(A2aWireVersion version) throws Exception {
    HttpResponse<InputStream> response =
        send(
            runner(),
            version,
            version.skillMessage("echo", "{\"a\":1}"),
            "c" + calls.getAndIncrement());

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().allValues("Content-Type")).containsExactly("text/event-stream");
    List<String> items = items(reader(response));
    assertThat(said(version, items))
        .containsExactly("task working", "artifact {\"a\":1}", version.last("completed"));
    assertThat(items)
        .allSatisfy(item -> assertThat(JSON.readTree(item).path("id").asInt()).isEqualTo(7));
    JsonNode first = JSON.readTree(items.getFirst()).path("result");
    JsonNode last = JSON.readTree(items.getLast()).path("result");
    JsonNode task = version.task(first);
    JsonNode end = version == A2aWireVersion.V03 ? last : last.path("statusUpdate");
    assertThat(end.path("taskId")).isEqualTo(task.path("id"));
    assertThat(end.path("contextId")).isEqualTo(task.path("contextId"));
    assertThat(
            call(runner(), version, version.get, task.path("id").asText(), JOE)
                .at("/result/status"))
        .isEqualTo(end.path("status"));
  }

  @ParameterizedTest
  @EnumSource
  void allReadersGetTheSameItemsAtAnyNode(A2aWireVersion version) throws Exception {
    String correlationId = "held" + calls.getAndIncrement();
    try (BufferedReader sender = held(version, correlationId)) {
      String first = data(sender);
      String id = id(version, first);
      try (BufferedReader here = subscribed(runner(), version, id);
          BufferedReader there = subscribed(other(), version, id)) {
        assertThat(data(here)).isEqualTo(first);
        assertThat(data(there)).isEqualTo(first);
        runner().decide(correlationId, true, "fine");

        List<String> items = items(sender);
        assertThat(said(version, List.of(first))).containsExactly("task submitted");
        assertThat(said(version, items))
            .hasSize(3)
            .startsWith("status working")
            .endsWith(version.last("completed"));
        assertThat(items(here)).isEqualTo(items);
        assertThat(items(there)).isEqualTo(items);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void messageSentAgainAtAnotherNodeFollowsItsTask(A2aWireVersion version) throws Exception {
    String correlationId = "again" + calls.getAndIncrement();
    String message = version.skillMessage("deploy", "{\"version\":\"1\"}");
    try (BufferedReader sender = reader(send(runner(), version, message, correlationId));
        BufferedReader again = reader(send(other(), version, message, correlationId + "b"))) {
      String first = data(sender);
      assertThat(data(again)).isEqualTo(first);
      runner().decide(correlationId, true, "fine");

      List<String> items = items(sender);
      assertThat(said(version, items)).endsWith(version.last("completed"));
      assertThat(items(again)).isEqualTo(items);
    }
  }

  @ParameterizedTest
  @EnumSource
  void messageSentAgainAfterItsEndHasOneItem(A2aWireVersion version) throws Exception {
    String message = version.skillMessage("echo", "{\"a\":1}");
    List<String> items = items(reader(send(runner(), version, message, "first")));

    List<String> again = items(reader(send(other(), version, message, "second")));

    assertThat(said(version, again)).containsExactly("task completed");
    assertThat(id(version, again.getFirst())).isEqualTo(id(version, items.getFirst()));
  }

  @ParameterizedTest
  @EnumSource
  void rejectedTaskEndsItsStream(A2aWireVersion version) throws Exception {
    String correlationId = "rejected" + calls.getAndIncrement();
    try (BufferedReader stream = held(version, correlationId)) {
      assertThat(said(version, List.of(data(stream)))).containsExactly("task submitted");
      runner().decide(correlationId, false, "no");

      assertThat(said(version, items(stream))).containsExactly(version.last("rejected"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void taskCancelledAtAnotherNodeEndsItsStream(A2aWireVersion version) throws Exception {
    try (BufferedReader stream = held(version, "cancelled" + calls.getAndIncrement())) {
      String id = id(version, data(stream));
      try (BufferedReader there = subscribed(other(), version, id)) {
        String _ = data(there);
        JsonNode _ = call(other(), version, version.cancel, id, JOE);

        assertThat(said(version, items(there))).containsExactly(version.last("canceled"));
        assertThat(said(version, items(stream))).containsExactly(version.last("canceled"));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void clientThatDisconnectsMaySubscribeAgain(A2aWireVersion version) throws Exception {
    String correlationId = "left" + calls.getAndIncrement();
    String first;
    try (BufferedReader stream = held(version, correlationId)) {
      first = data(stream);
    }
    String id = id(version, first);
    try (BufferedReader again = subscribed(runner(), version, id)) {
      assertThat(data(again)).isEqualTo(first);
      runner().decide(correlationId, true, "fine");

      assertThat(said(version, items(again))).endsWith(version.last("completed"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void taskThatHasEndedIsNotFollowed(A2aWireVersion version) throws Exception {
    String id =
        id(
            version,
            items(reader(send(runner(), version, version.skillMessage("echo", "{}"), "done")))
                .getFirst());
    await()
        .untilAsserted(() ->
            assertThat(
                    call(runner(), version, version.subscribe, id, JOE).at("/error/code").asInt())
                .isEqualTo(-32_004));

    assertThat(call(runner(), version, version.subscribe, id, ANN).at("/error/code").asInt())
        .isEqualTo(-32_001);
  }

  @ParameterizedTest
  @EnumSource
  void deniedMessageIsAnEventIn03AndNoStreamIn10(A2aWireVersion version) throws Exception {
    HttpResponse<InputStream> response =
        send(runner(), version, version.skillMessage("delete_all", "{}"), "denied");

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().allValues("Content-Type"))
        .containsExactly(version == A2aWireVersion.V03 ? "text/event-stream" : "application/json");
    String body = new String(response.body().readAllBytes(), UTF_8);
    assertThat(body).startsWith(version == A2aWireVersion.V03 ? "event: error\ndata: {" : "{");
    assertThat(NodeReply.response(body).at("/error/code").asInt()).isEqualTo(-32_004);
    assertThat(NodeReply.response(body).path("id").asText()).isEqualTo("7");
  }

  @Test
  void callersWithoutVersionGetTheStatusOfAnError() throws Exception {
    String denied = A2aWireVersion.V03.skillMessage("delete_all", "{}");

    HttpResponse<InputStream> response =
        post(runner(), "/a2a", A2aWireVersion.V03.stream, denied, JOE, "vapora");

    assertThat(response.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(response.body()).at("/error/code").asInt()).isEqualTo(-32_000);
  }

  @Test
  void idleStreamHasComments(@TempDir Path folder) throws Exception {
    String message = A2aWireVersion.V1.skillMessage("deploy", "{\"version\":\"1\"}");
    try (WatchedNode third =
            start(folder, "agent_stream_keep_alive_millis: 100", Journals.freshSchema());
        BufferedReader stream = reader(send(third, A2aWireVersion.V1, message, "idle"))) {
      String _ = data(stream);

      assertThat(List.of(stream.readLine(), stream.readLine(), stream.readLine()))
          .containsExactly("", ":", "");
    }
  }

  @Test
  void nodeThatStopsEndsItsStreams(@TempDir Path folder) throws Exception {
    WatchedNode third = start(folder, "", Journals.freshSchema());
    String message = A2aWireVersion.V1.skillMessage("deploy", "{\"version\":\"1\"}");
    try (BufferedReader stream = reader(send(third, A2aWireVersion.V1, message, "third"))) {
      assertThat(said(A2aWireVersion.V1, List.of(data(stream)))).containsExactly("task submitted");
      third.close();

      assertThat(items(stream)).isEmpty();
    }
  }

  private BufferedReader held(A2aWireVersion version, String correlationId) throws Exception {
    return reader(
        send(
            runner(),
            version,
            version.skillMessage("deploy", "{\"version\":\"1\"}"),
            correlationId));
  }

  private BufferedReader subscribed(WatchedNode node, A2aWireVersion version, String id)
      throws Exception {
    return reader(
        post(
            node,
            version.path(),
            version.subscribe,
            "{\"id\":\"%s\"}".formatted(id),
            JOE,
            "follow" + calls.getAndIncrement()));
  }

  private HttpResponse<InputStream> send(
      WatchedNode node, A2aWireVersion version, String params, String correlationId)
      throws Exception {
    return post(node, version.path(), version.stream, params, JOE, correlationId);
  }

  private JsonNode call(
      WatchedNode node, A2aWireVersion version, String method, String id, String token)
      throws Exception {
    return NodeReply.response(
        post(
                node,
                version.path(),
                method,
                "{\"id\":\"%s\"}".formatted(id),
                token,
                "call" + calls.getAndIncrement())
            .body());
  }

  private HttpResponse<InputStream> post(
      WatchedNode node,
      String path,
      String method,
      String params,
      String token,
      String correlationId)
      throws Exception {
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"%s\",\"params\":%s}".formatted(method, params);
    return http.send(
        HttpRequest.newBuilder(URI.create(node.at(Port.CALLERS).url() + path))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + token)
            .header("X-Correlation-Id", correlationId)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofInputStream());
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  /** The items up to the end of the stream. */
  private static List<String> items(BufferedReader stream) throws IOException {
    List<String> items = new ArrayList<>();
    for (String item = data(stream); !item.isEmpty(); item = data(stream)) {
      items.add(item);
    }
    return items;
  }

  private static List<String> said(A2aWireVersion version, List<String> items) throws IOException {
    List<String> said = new ArrayList<>();
    for (String item : items) {
      said.add(version.said(JSON.readTree(item).path("result")));
    }
    return said;
  }

  private static String id(A2aWireVersion version, String item) throws IOException {
    JsonNode result = JSON.readTree(item).path("result");
    return version.task(result).path("id").asText();
  }

  private WatchedNode runner() {
    return Objects.requireNonNull(runner);
  }

  private WatchedNode other() {
    return Objects.requireNonNull(other);
  }
}
