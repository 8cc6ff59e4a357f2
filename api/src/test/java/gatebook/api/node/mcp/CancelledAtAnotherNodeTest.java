package gatebook.api.node.mcp;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.data.DataDirectory;
import gatebook.api.flow.WebhookReceiver;
import gatebook.api.http.Port;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.flow.FlowTasksOverHttp;
import gatebook.api.upstream.source.StubServer;
import gatebook.events.CallAbandoned;
import gatebook.events.Event;
import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskStarted;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.tree.TreeStatus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that run at one node, and are cancelled at another one of their database. */
@Timeout(300)
final class CancelledAtAnotherNodeTest {
  private static final String ROOT = FlowTasksOverHttp.id(1);
  private static final String KID = FlowTasksOverHttp.id(2);
  private static final String TWIN = FlowTasksOverHttp.id(3);
  private static final String LAST = FlowTasksOverHttp.id(4);
  private static final List<String> KEYS = List.of("checkpoint.key", "keys/wrapping.key");
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;

  private final AtomicInteger arrived = new AtomicInteger();
  private final AtomicInteger disconnected = new AtomicInteger();
  private final StubServer source = StubServer.each(this::hang);
  private final WebhookReceiver receiver = new WebhookReceiver();
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable WatchedNode runner;
  private @Nullable WatchedNode other;

  @BeforeEach
  void start() throws IOException {
    SharedLocation database = Journals.freshSchema();
    runner = start("runner", database);
    copyKeys(folder.resolve("runner/data"), folder.resolve("other/data"));
    other = start("other", database);
  }

  /** Nodes that share a database share their keys. */
  private static void copyKeys(Path from, Path to) throws IOException {
    ((DataDirectory.Opening.Opened) DataDirectory.open(to)).directory().close();
    for (String key : KEYS) {
      Files.createDirectories(to.resolve(key).getParent());
      Files.copy(from.resolve(key), to.resolve(key), StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private WatchedNode start(String name, SharedLocation database) throws IOException {
    return WatchedNode.start(
        Files.createDirectories(folder.resolve(name)),
        """
        schema: 1
        sources: [{id: remote, kind: mcp, prefix: x_, url: "%s", timeout: 5m}]
        governance:
          defaults: {action: forward}
          rules: [{match: "deploy", action: approve, approval: ops}]
        approval: {ops: {timeout: 10m}}
        webhooks: {allow: ["%s"]}
        limits: {tree_tasks_running_per_tree_max: 2}
        operators: [{name: alice, token_hash: "%s", roles: [view, approve]}]
        """
            .formatted(source.url("/mcp"), receiver.url("/"), WatchedNode.hash(NodeCaller.ALICE)),
        database);
  }

  @AfterEach
  void stop() throws IOException {
    Stream.of(other, runner).filter(node -> node != null).forEach(WatchedNode::close);
    http.shutdownNow();
    receiver.close();
    source.close();
  }

  /** Tools never answer: a call ends when its connection is closed. */
  private void hang(StubServer.Peer peer) throws IOException {
    StubServer.Request request = peer.request();
    if (!request.body().contains("\"method\":\"tools/call\"")) {
      peer.answer(
          200,
          StubServer.JSON,
          """
          {"jsonrpc":"2.0","id":%s,"result":{"tools":[
            {"name":"hang","inputSchema":{"type":"object"}},
            {"name":"deploy","inputSchema":{"type":"object"}}]}}\
          """
              .formatted(request.id()));
      return;
    }
    arrived.incrementAndGet();
    try {
      peer.waitForEnd();
    } finally {
      disconnected.incrementAndGet();
    }
  }

  @Test
  void aCancelledTasksCallIsCancelledAtItsSource() throws Exception {
    try (BufferedReader stream = execute(task(ROOT, null, "x_hang"))) {
      await().until(() -> arrived.get() == 1);
      awaitStartedAtBoth(1);

      assertThat(cancel(ROOT, false)).isEqualTo("cancelled");

      await().until(() -> disconnected.get() == 1);
      assertThat(types(stream))
          .containsExactly("task_start", "task_cancelled", "progress", "final", "stream_end");
    }
    assertThat(Stream.generate(this::told).limit(3))
        .containsExactly(
            "task_start in_progress false",
            "task_cancelled cancelled false",
            "final cancelled true");
    awaitDelivered();
    assertThat(receiver.received()).isZero();
    assertThat(events(TreeTaskCancelled.class)).hasSize(1);
    assertThat(events(TreeExecutionEnded.class))
        .singleElement()
        .satisfies(ended -> assertThat(ended.status()).isEqualTo(TreeStatus.CANCELLED));
    await().until(() -> !events(CallAbandoned.class).isEmpty());
    assertThat(events(CallAbandoned.class))
        .singleElement()
        .satisfies(abandoned -> {
          assertThat(abandoned.cause()).isEqualTo(CallAbandoned.Cause.CANCELLED);
          assertThat(abandoned.callId())
              .isEqualTo(events(TreeTaskStarted.class).getFirst().callId());
        });
    assertNothingEndedOtherwise();
    assertThat(arrived).hasValue(1);
  }

  @Test
  void aWholeTreeIsCancelledAndStartsNothingMore() throws Exception {
    String tasks =
        String.join(
            ",",
            task(ROOT, null, null, KID, TWIN),
            task(KID, ROOT, "x_hang"),
            task(TWIN, ROOT, "x_hang"),
            task(LAST, ROOT, "x_hang"));
    try (BufferedReader stream = execute(tasks)) {
      await().until(() -> arrived.get() == 2);
      awaitStartedAtBoth(2);

      assertThat(cancel(ROOT, true)).isEqualTo("cancelled");

      await().until(() -> disconnected.get() == 2);
      List<String> types = types(stream);
      assertThat(Collections.frequency(types, "task_cancelled")).isEqualTo(4);
      assertThat(types).endsWith("final", "stream_end").containsOnlyOnce("final");
    }
    List<String> told = new ArrayList<>();
    while (!told.contains("final cancelled true")) {
      told.add(told());
    }
    assertThat(Collections.frequency(told, "task_cancelled cancelled false")).isEqualTo(4);
    awaitDelivered();
    assertThat(receiver.received()).isZero();
    assertThat(events(TreeTaskCancelled.class))
        .extracting(TreeTaskCancelled::taskId)
        .containsExactlyInAnyOrder(ROOT, KID, TWIN, LAST);
    assertThat(events(TreeExecutionEnded.class))
        .singleElement()
        .satisfies(ended -> {
          assertThat(ended.status()).isEqualTo(TreeStatus.CANCELLED);
          assertThat(ended.blocked()).isEmpty();
        });
    assertNothingEndedOtherwise();
    assertThat(events(TreeTaskStarted.class))
        .extracting(TreeTaskStarted::taskId)
        .containsExactlyInAnyOrder(KID, TWIN);
  }

  @Test
  void aTaskThatWaitsForAnApprovalIsCancelled() throws Exception {
    try (BufferedReader stream = execute(task(ROOT, null, "x_deploy"))) {
      await().until(() -> waiting() == 1);
      awaitStartedAtBoth(1);

      assertThat(cancel(ROOT, false)).isEqualTo("cancelled");

      assertThat(types(stream)).endsWith("task_cancelled", "progress", "final", "stream_end");
    }
    await().until(() -> waiting() == 0);
    assertNothingEndedOtherwise();
    assertThat(arrived).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void builtInAgentsTaskIsCancelledAtItsSource(A2aWireVersion version) throws Exception {
    JsonNode sent =
        runner()
            .call(
                Port.CALLERS,
                version.path(),
                version.send,
                version.skillMessage("x_hang", "{}", false));
    String task = version.task(sent.path("result")).path("id").asText();
    await().until(() -> arrived.get() == 1);

    JsonNode cancelled =
        other()
            .call(Port.CALLERS, version.path(), version.cancel, "{\"id\":\"%s\"}".formatted(task));

    assertThat(cancelled.at("/result/status/state").asText())
        .as("%s", cancelled)
        .isEqualTo(version.state("canceled"));
    await().until(() -> disconnected.get() == 1);
    assertThat(events(CallAbandoned.class)).hasSize(1);
    assertThat(runner().lines()).noneMatch(line -> line.contains("unforeseen"));
  }

  @Test
  void aTaskOfMcpIsCancelledAtItsSource() throws Exception {
    JsonNode created =
        runner()
            .call(
                Port.CALLERS,
                "/mcp",
                "tools/call",
                "{\"name\":\"x_deploy\",\"arguments\":{},\"task\":{}}");
    String task = created.at("/result/task/taskId").asText();
    approve();
    await().until(() -> arrived.get() == 1);

    JsonNode cancelled =
        other().call(Port.CALLERS, "/mcp", "tasks/cancel", "{\"taskId\":\"%s\"}".formatted(task));

    assertThat(cancelled.at("/result/status").asText()).as("%s", cancelled).isEqualTo("cancelled");
    await().until(() -> disconnected.get() == 1);
    assertThat(events(CallAbandoned.class)).hasSize(1);
    assertThat(runner().lines()).noneMatch(line -> line.contains("unforeseen"));
  }

  private void approve() throws IOException {
    String callId = operator("approvals.list").at("/result/approvals/0/callId").asText();
    JsonNode _ =
        runner()
            .operator(
                NodeCaller.ALICE, "approvals.approve", "{\"callId\":\"%s\"}".formatted(callId));
  }

  /** The other node reads what the first has recorded a little later. */
  private void awaitStartedAtBoth(int tasks) {
    await()
        .until(() ->
            other().events().stream().filter(TreeTaskStarted.class::isInstance).count() == tasks);
  }

  private void assertNothingEndedOtherwise() {
    assertThat(events(TreeTaskFailed.class)).isEmpty();
    assertThat(events(TreeTaskCompleted.class)).isEmpty();
  }

  private static String task(
      String id, @Nullable String parent, @Nullable String tool, String... needs) {
    return FlowTasksOverHttp.task(id, parent, tool, needs);
  }

  /** Executes tasks at one node, with a webhook, and reads the progress up to the response. */
  private BufferedReader execute(String tasks) throws IOException, InterruptedException {
    String body =
        FlowTasksOverHttp.request(
            "1",
            "tasks.execute",
            """
            {"tasks":[%s],"use_streaming":true,"webhook_config":{"url":"%s"}}\
            """
                .formatted(tasks, receiver.url("/end")));
    BufferedReader stream =
        new BufferedReader(
            new InputStreamReader(
                http.send(
                        HttpRequest.newBuilder(
                                URI.create(runner().at(Port.CALLERS).url() + "/flow"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(body))
                            .build(),
                        BodyHandlers.ofInputStream())
                    .body(),
                UTF_8));
    String response = data(stream);
    assertThat(JSON.readTree(response).at("/result/status").asText())
        .as(response)
        .isEqualTo("started");
    return stream;
  }

  /** Cancels at the other node; the status that it answers with. */
  private String cancel(String id, boolean cascade) throws IOException {
    JsonNode answer =
        other()
            .call(
                Port.CALLERS,
                "/flow",
                "tasks.cancel",
                "{\"task_id\":\"%s\",\"cascade\":%b}".formatted(id, cascade));
    return answer.at("/result/status").asText(answer.toString());
  }

  /** The types of the events up to the end of the stream. */
  private static List<String> types(BufferedReader stream) throws IOException {
    List<String> types = new ArrayList<>();
    for (String event = data(stream); !event.isEmpty(); event = data(stream)) {
      types.add(JSON.readTree(event).at("/type").asText());
    }
    return types;
  }

  /** The next message of the webhook. */
  private String told() {
    JsonNode body = json(receiver.next().body());
    return "%s %s %s"
        .formatted(
            body.path("type").asText(),
            body.path("status").asText(),
            body.path("final").asBoolean());
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitDelivered() {
    await()
        .until(() ->
            operator("audit.trees")
                .at("/result/trees/0/webhook/state")
                .asText()
                .equals("delivered"));
  }

  private int waiting() throws IOException {
    return operator("approvals.list").at("/result/approvals").size();
  }

  private JsonNode operator(String method) throws IOException {
    return runner().operator(NodeCaller.ALICE, method, "{}");
  }

  /** The events of both nodes. */
  private <E extends Event> List<E> events(Class<E> type) {
    return runner().events().stream().filter(type::isInstance).map(type::cast).toList();
  }

  private WatchedNode runner() {
    return Objects.requireNonNull(runner, "each test starts a node");
  }

  private WatchedNode other() {
    return Objects.requireNonNull(other, "each test starts another node");
  }
}
