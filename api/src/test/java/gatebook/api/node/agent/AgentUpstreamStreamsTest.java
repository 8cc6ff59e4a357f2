package gatebook.api.node.agent;

import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.NodeReply;
import gatebook.api.node.WatchedNode;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.api.node.a2a.StubAgent.StreamScript;
import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalRequested;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import gatebook.events.call.StreamSummary;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.TaskNotFound;
import gatebook.events.fault.Unsupported.UnsupportedOperation;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import gatebook.events.fault.UpstreamFault.UpstreamError;
import gatebook.events.fault.UpstreamFault.UpstreamTimeout;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of agents upstream, as clients of either version see them. */
@Timeout(300)
final class AgentUpstreamStreamsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger IDS = new AtomicInteger();

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private final String id = "stream-" + IDS.incrementAndGet();
  private @Nullable AgentBehindNode started;

  private void start(A2aWireVersion spoken, String limits) throws IOException {
    started = AGENTS.shared(spoken, AgentBehindNode.SOURCE, limits);
  }

  private void start(A2aWireVersion spoken) throws IOException {
    started = AGENTS.shared(spoken);
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void itemsArriveInTheCallersVersion(A2aWireVersion caller, A2aWireVersion spoken)
      throws Exception {
    start(spoken);

    HttpResponse<InputStream> response = send(caller, "plan", AgentBehindNode.JOE, id);

    assertThat(response.headers().allValues("Content-Type")).containsExactly("text/event-stream");
    assertThat(response.headers().allValues("X-Correlation-Id")).containsExactly(id);
    List<JsonNode> items = items(reader(response));
    assertThat(said(caller, items))
        .containsExactly("task working", "artifact part", caller.last("completed"));
    assertThat(items).allSatisfy(item -> assertThat(item.path("id").asInt()).isEqualTo(7));
    JsonNode request = agent().requests.getFirst();
    assertThat(request.path("method").asText()).isEqualTo(spoken.stream);
    assertThat(request.at("/params/message"))
        .isEqualTo(
            JSON.readTree(
                    spoken.textMessage(AgentUpstreamOverHttpTest.messageId(request), "plan", ""))
                .path("message"));
    assertThat(names())
        .containsExactly(
            "CallReceived", "CallAdmitted", "CallForwarded", "AgentTaskCreated", "CallAnswered");
    assertThat(answered().stream()).isEqualTo(new StreamSummary(3, "completed"));
    assertThat(answered().outcome()).isEqualTo(CallAnswered.Outcome.SUCCESS);
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void ownerFollowsItsTaskAndNobodyElse(A2aWireVersion caller, A2aWireVersion spoken)
      throws Exception {
    start(spoken);
    List<JsonNode> _ = items(reader(send(caller, "plan", AgentBehindNode.JOE, "first")));
    String params = "{\"id\":\"%s\"}".formatted(agent().task(1));

    List<JsonNode> items =
        items(reader(post(caller, caller.subscribe, params, AgentBehindNode.JOE, id)));
    JsonNode refused =
        NodeReply.response(
            post(caller, caller.subscribe, params, AgentBehindNode.ANN, "foreign").body());

    assertThat(said(caller, items))
        .containsExactly("task working", "artifact part", caller.last("completed"));
    assertThat(names())
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32_001);
    assertThat(fault("foreign")).isEqualTo(new TaskNotFound(agent().task(1)));
    assertThat(agent().requests.stream().map(it -> it.path("method").asText()))
        .containsExactly(spoken.stream, spoken.subscribe);
  }

  @ParameterizedTest
  @EnumSource
  void recordsOfTaskAndEndPrecedeTheirItems(A2aWireVersion version) throws Exception {
    start(version);
    CountDownLatch hasFirst = new CountDownLatch(1);
    agent().streamScript =
        stream -> {
          stream.task("working");
          waitFor(hasFirst);
          stream.status("completed", true);
        };

    try (BufferedReader stream = reader(send(version, "plan", AgentBehindNode.JOE, id))) {
      assertThat(said(version, List.of(JSON.readTree(data(stream)))))
          .containsExactly("task working");
      assertThat(names())
          .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "AgentTaskCreated");
      AgentTaskCreated created = (AgentTaskCreated) node().events(id).getLast();
      assertThat(created.taskId()).isEqualTo(agent().task(1));
      hasFirst.countDown();

      assertThat(said(version, items(stream))).containsExactly(version.last("completed"));
      assertThat(names()).endsWith("CallAnswered");
    }
  }

  private static void waitFor(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  static Stream<Arguments> hostileStreams() {
    return Stream.of(
            Arguments.of(script(_ -> {}), "the stream ended before its task did"),
            Arguments.of(
                script(stream -> stream.data("no json secret")),
                "the answer is not JSON-RPC: not JSON (syntax)"),
            Arguments.of(
                script(stream -> {
                  stream.status("completed", false);
                  stream.status("working", false);
                }),
                "the items of the stream are out of order"),
            Arguments.of(
                script(stream -> stream.task("task-secret", "working")),
                "an item of the stream belongs to another task"),
            Arguments.of(
                script(stream -> stream.status("context-anns", "working", false)),
                "the answer has the id of another task"))
        .flatMap(it ->
            Stream.of(A2aWireVersion.values())
                .flatMap(caller -> Stream.of(Arguments.of(caller, it.get()[0], it.get()[1]))));
  }

  private static StreamScript script(StreamScript streamScript) {
    return streamScript;
  }

  @ParameterizedTest
  @MethodSource("hostileStreams")
  void hostileStreamEndsWithAnErrorItem(A2aWireVersion caller, StreamScript rest, String reason)
      throws Exception {
    start(A2aWireVersion.V03);
    ownContextOfAnn(caller);
    agent().streamScript =
        stream -> {
          stream.task("working");
          rest.run(stream);
        };

    List<JsonNode> items = items(reader(send(caller, "plan", AgentBehindNode.JOE, id)));

    assertThat(said(caller, items.subList(0, 1))).containsExactly("task working");
    assertThat(items.getLast().at("/error/code").asInt()).isEqualTo(-32_006);
    assertThat(items.getLast().path("id").asInt()).isEqualTo(7);
    assertThat(items.toString()).doesNotContain("secret", "context-anns");
    assertThat(fault(id)).isEqualTo(new InvalidAgentResponse("planner", reason));
    assertThat(node().lines(id).getLast()).containsEntry("task_id", agent().task(2));
    assertThat(names())
        .containsExactly(
            "CallReceived", "CallAdmitted", "CallForwarded", "AgentTaskCreated", "ErrorTranslated");
  }

  private void ownContextOfAnn(A2aWireVersion caller) throws Exception {
    agent().streamScript = stream -> stream.status("context-anns", "completed", true);
    assertThat(items(reader(send(caller, "plan", AgentBehindNode.ANN, "anns")))).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void foreignFirstItemIsAnErrorOnly(A2aWireVersion version) throws Exception {
    start(version);
    ownContextOfAnn(version);

    HttpResponse<InputStream> response = send(version, "plan", AgentBehindNode.JOE, id);

    JsonNode error = NodeReply.response(response.body());
    assertThat(error.at("/error/code").asInt()).isEqualTo(-32_006);
    assertThat(error.toString()).doesNotContain("context-anns");
    assertThat(fault(id))
        .isEqualTo(new InvalidAgentResponse("planner", "the answer has the id of another task"));
  }

  @ParameterizedTest
  @EnumSource
  void errorOfTheAgentEndsTheStream(A2aWireVersion version) throws Exception {
    start(version);
    agent().streamScript =
        stream -> {
          stream.task("working");
          stream.error(-32_603, "broken");
        };

    List<JsonNode> items = items(reader(send(version, "plan", AgentBehindNode.JOE, id)));

    assertThat(items).hasSize(2);
    assertThat(items.getLast().at("/error/code").isInt()).isTrue();
    assertThat(fault(id)).isEqualTo(new UpstreamError("planner", -32_603, "broken", null, null));
  }

  @ParameterizedTest
  @EnumSource
  void itemsAfterTheLastOneAreNotRead(A2aWireVersion version) throws Exception {
    start(version);
    agent().streamScript =
        stream -> {
          stream.complete();
          stream.status("working", false);
          stream.data("garbage");
        };

    List<JsonNode> items = items(reader(send(version, "plan", AgentBehindNode.JOE, id)));

    assertThat(said(version, items))
        .containsExactly("task working", "artifact part", version.last("completed"));
    assertThat(names()).endsWith("CallAnswered");
  }

  @ParameterizedTest
  @EnumSource
  void messageIsTheOnlyItem(A2aWireVersion version) throws Exception {
    start(version);
    agent().streamScript = stream -> stream.message("hello");

    HttpResponse<InputStream> response = send(version, "plan", AgentBehindNode.JOE, id);

    assertThat(response.headers().allValues("Content-Type")).containsExactly("text/event-stream");
    assertThat(said(version, items(reader(response)))).containsExactly("message ");
    assertThat(answered().stream()).isEqualTo(new StreamSummary(1, null));
  }

  @ParameterizedTest
  @EnumSource
  void taskThatWaitsForItsCallerEndsTheStream(A2aWireVersion version) throws Exception {
    start(version);
    agent().streamScript =
        stream -> {
          stream.task("working");
          stream.status("input-required", false);
        };

    List<JsonNode> items = items(reader(send(version, "plan", AgentBehindNode.JOE, id)));

    assertThat(said(version, items)).containsExactly("task working", "status input-required");
    assertThat(answered().stream()).isEqualTo(new StreamSummary(2, "input-required"));
  }

  @ParameterizedTest
  @EnumSource
  void failedTaskIsToldFromFailedTransport(A2aWireVersion version) throws Exception {
    start(version);
    agent().streamScript = stream -> stream.status("failed", true);

    assertThat(said(version, items(reader(send(version, "plan", AgentBehindNode.JOE, id)))))
        .containsExactly(version.last("failed"));
    assertThat(answered().outcome()).isEqualTo(CallAnswered.Outcome.TOOL_ERROR);
  }

  @ParameterizedTest
  @CsvSource({
    "agent_stream_items_max: 3, 3, true",
    "agent_stream_items_max: 2, 3, false",
    "agent_stream_bytes_max: 4096, 3, true",
    "agent_stream_bytes_max: 1024, 20, false"
  })
  void streamMayBeAsLongAsItsLimits(String limit, int items, boolean isAllowed) throws Exception {
    start(A2aWireVersion.V1, limit);
    agent().streamScript =
        stream -> {
          for (int i = 1; i < items; i++) {
            stream.artifact("part");
          }
          stream.status("completed", true);
        };

    List<JsonNode> got = items(reader(send(A2aWireVersion.V1, "plan", AgentBehindNode.JOE, id)));

    assertThat(got.getLast().path("error").isMissingNode()).isEqualTo(isAllowed);
    if (isAllowed) {
      assertThat(got).hasSize(items);
    } else {
      assertThat(fault(id))
          .isEqualTo(
              new InvalidAgentResponse(
                  "planner",
                  limit.contains("items")
                      ? "the stream has too many items"
                      : "the stream is too large"));
    }
  }

  @ParameterizedTest
  @CsvSource({"agent_stream_idle_millis_max", "stream_millis_max"})
  void streamThatGoesOnTooLongTimesOut(String limit) throws Exception {
    start(A2aWireVersion.V1, limit + ": 700");
    agent().streamScript =
        stream -> {
          stream.task("working");
          stream.waitForEnd();
        };

    List<JsonNode> items = items(reader(send(A2aWireVersion.V1, "plan", AgentBehindNode.JOE, id)));

    assertThat(said(A2aWireVersion.V1, items.subList(0, 1))).containsExactly("task working");
    assertThat(items.getLast().at("/error/code").isInt()).isTrue();
    assertThat(fault(id)).isEqualTo(new UpstreamTimeout("planner", agent().url(), 700));
  }

  @ParameterizedTest
  @EnumSource
  void callerThatDisconnectsEndsTheStreamAndNotTheTask(A2aWireVersion version) throws Exception {
    started = AGENTS.own(version);
    agent().streamScript =
        stream -> {
          stream.task("working");
          stream.waitForEnd();
        };
    try (BufferedReader stream = reader(send(version, "plan", AgentBehindNode.JOE, id))) {
      assertThat(said(version, List.of(JSON.readTree(data(stream)))))
          .containsExactly("task working");
    }

    await()
        .untilAsserted(
            () -> assertThat(node().events(id).getLast()).isInstanceOf(CallAbandoned.class));
    await().untilAsserted(() -> assertThat(agent().open()).isLessThanOrEqualTo(1));
    assertThat(agent().requests.stream().map(it -> it.path("method").asText()))
        .containsExactly(version.stream);
  }

  @ParameterizedTest
  @EnumSource
  void agentWithoutStreamsIsNotAskedForOne(A2aWireVersion version) throws Exception {
    started = AGENTS.own(version);
    agent().streaming = false;

    JsonNode refused = NodeReply.response(send(version, "plan", AgentBehindNode.JOE, id).body());

    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32_004);
    assertThat(fault(id))
        .isEqualTo(new UnsupportedOperation(version.stream, "the agent has no streams"));
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void deniedSkillIsNoStream(A2aWireVersion version) throws Exception {
    start(version);

    HttpResponse<InputStream> response =
        post(
            version,
            version.stream,
            version.textMessage("plan", ",\"metadata\":{\"skillId\":\"secret\"}"),
            AgentBehindNode.JOE,
            id);

    assertThat(NodeReply.response(response.body()).at("/error/code").asInt()).isEqualTo(-32_004);
    assertThat(names()).containsExactly("CallReceived", "GateDenied", "ErrorTranslated");
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"V03,true", "V03,false", "V1,true", "V1,false"})
  void streamThatWaitsForApprovalIsKeptOpen(A2aWireVersion version, boolean approved)
      throws Exception {
    start(version, AgentBehindNode.LIMITS + ", agent_stream_keep_alive_millis: 100");

    HttpResponse<InputStream> response =
        post(
            version,
            version.stream,
            version.textMessage("plan", ",\"metadata\":{\"skillId\":\"route\"}"),
            AgentBehindNode.JOE,
            id);

    try (BufferedReader stream = reader(response)) {
      assertThat(stream.readLine()).isEqualTo(": open");
      await().until(() -> node().events(id).stream().anyMatch(ApprovalRequested.class::isInstance));
      assertThat(agent().requests).isEmpty();
      node().decide(id, approved, "so");
      List<JsonNode> items = items(stream);
      assertThat(response.headers().firstValue("X-Correlation-Id")).contains(id);
      if (approved) {
        assertThat(said(version, items))
            .containsExactly("task working", "artifact part", version.last("completed"));
      } else {
        assertThat(items).hasSize(1);
        assertThat(items.getFirst().at("/error/code").asInt()).isEqualTo(-32_004);
        assertThat(agent().requests).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void streamOfSlowAgentIsKeptOpen(A2aWireVersion version) throws Exception {
    start(version, AgentBehindNode.LIMITS + ", agent_stream_keep_alive_millis: 100");
    CountDownLatch opened = new CountDownLatch(1);
    agent().streamScript =
        stream -> {
          awaitOpen(opened);
          stream.complete();
        };

    try (BufferedReader stream = reader(send(version, "plan", AgentBehindNode.JOE, id))) {
      assertThat(stream.readLine()).isEqualTo(": open");
      opened.countDown();
      assertThat(said(version, items(stream)))
          .containsExactly("task working", "artifact part", version.last("completed"));
    }
  }

  private static void awaitOpen(CountDownLatch opened) {
    try {
      opened.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void subscriptionIsRepeatedBeforeItsFirstItem() throws Exception {
    start(A2aWireVersion.V1);
    List<JsonNode> _ = items(reader(send(A2aWireVersion.V1, "plan", AgentBehindNode.JOE, "first")));
    agent().unavailable.set(1);

    List<JsonNode> items =
        items(
            reader(
                post(
                    A2aWireVersion.V1,
                    "SubscribeToTask",
                    "{\"id\":\"%s\"}".formatted(agent().task(1)),
                    AgentBehindNode.JOE,
                    id)));

    assertThat(items).hasSize(3);
    assertThat(AgentBehindNode.attempts(node(), id))
        .containsExactly("1 null", "2 HttpError: the response has the status 503");
  }

  /** What items say, in words that are the same in both versions. */
  private static List<String> said(A2aWireVersion version, List<JsonNode> items) {
    return items.stream().map(item -> version.said(item.path("result"))).toList();
  }

  private HttpResponse<InputStream> send(
      A2aWireVersion version, String text, String token, String correlationId) throws Exception {
    return post(version, version.stream, version.textMessage(text, ""), token, correlationId);
  }

  private HttpResponse<InputStream> post(
      A2aWireVersion version, String method, String params, String token, String correlationId)
      throws Exception {
    return started().post(version, method, params, token, correlationId);
  }

  private static BufferedReader reader(HttpResponse<InputStream> response) {
    return new BufferedReader(new InputStreamReader(response.body(), UTF_8));
  }

  private static List<JsonNode> items(BufferedReader stream) throws IOException {
    List<JsonNode> items = new ArrayList<>();
    for (String item = data(stream); !item.isEmpty(); item = data(stream)) {
      items.add(JSON.readTree(item));
    }
    return items;
  }

  private CallAnswered answered() {
    return (CallAnswered) node().events(id).getLast();
  }

  private Fault fault(String correlationId) {
    return started().fault(correlationId);
  }

  private List<String> names() {
    return started().names(id);
  }

  private WatchedNode node() {
    return started().node();
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
