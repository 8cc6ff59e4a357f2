package gatebook.api.node.agent;

import static gatebook.api.node.EventStream.data;
import static gatebook.api.node.agent.AgentBehindNode.ANN;
import static gatebook.api.node.agent.AgentBehindNode.JOE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.NodeReply;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.CallAnswered;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages to agents upstream that wait for an approval, and whose senders do not. */
@Timeout(300)
final class AgentUpstreamHeldTest {
  private static final JsonMapper JSON = new JsonMapper();

  private static final AtomicInteger CALLS = new AtomicInteger();

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  /** The correlation id of the message that is held. */
  private final String held = next();

  private @Nullable AgentBehindNode started;

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void taskOfTheAgentGoesOnWithTheIdOfTheHeldMessage(A2aWireVersion caller, A2aWireVersion spoken)
      throws Exception {
    started = AGENTS.shared(spoken);
    String id = held(caller, "plan");

    JsonNode waiting = call(caller, caller.get, id, JOE).path("result");
    assertThat(waiting.at("/status/state").asText()).isEqualTo(caller.state("submitted"));
    assertThat(agent().requests).isEmpty();

    approve();
    JsonNode got = call(caller, caller.get, id, JOE).path("result");
    JsonNode cancelled = call(caller, caller.cancel, id, JOE).path("result");

    assertThat(got.path("id").asText()).isEqualTo(id);
    assertThat(got.path("contextId")).isEqualTo(waiting.path("contextId"));
    assertThat(got.at("/status/state").asText()).isEqualTo(caller.state("completed"));
    assertThat(cancelled.path("id").asText()).isEqualTo(id);
    assertThat(agent().requests.stream().map(it -> it.path("method").asText()))
        .containsExactly(spoken.send, spoken.get, spoken.cancel);
    assertThat(agent().requests.stream().skip(1).map(it -> it.at("/params/id").asText()))
        .containsExactly(agent().task(1), agent().task(1));
    assertThat(started().names(held))
        .containsSubsequence(
            "CallReceived",
            "ApprovalRequested",
            "TaskCreated",
            "ApprovalGranted",
            "CallForwarded",
            "AgentTaskCreated",
            "CallAnswered");
  }

  @ParameterizedTest
  @EnumSource
  void taskOfTheAgentHasItsOwnIdToo(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    String id = held(version, "plan");
    approve();

    assertThat(call(version, version.get, agent().task(1), JOE).at("/result/id").asText())
        .isEqualTo(agent().task(1));
    String context = call(version, version.get, id, JOE).at("/result/contextId").asText();
    JsonNode sent =
        post(
                version,
                version.send,
                version.textMessage(
                    "more", ",\"taskId\":\"%s\",\"contextId\":\"%s\"".formatted(id, context)))
            .path("result");
    assertThat(version.task(sent).path("id").asText()).isEqualTo(id);
    assertThat(version.task(sent).path("contextId").asText()).isEqualTo(context);
    JsonNode got = agent().requests.getLast().at("/params/message");
    assertThat(got.path("taskId").asText()).isEqualTo(agent().task(1));
    assertThat(got.path("contextId").asText()).isEqualTo(agent().context(1));
  }

  @Test
  void everyCallOnATaskIsFoundByItsIds() throws Exception {
    started = AGENTS.shared(A2aWireVersion.V1);
    String id = held(A2aWireVersion.V1, "plan");
    approve();
    JsonNode _ = call(A2aWireVersion.V1, "GetTask", id, JOE);
    JsonNode _ = call(A2aWireVersion.V1, "CancelTask", agent().task(1), JOE);
    JsonNode _ = call(A2aWireVersion.V1, "GetTask", agent().task(1), ANN);
    JsonNode _ =
        post(
            A2aWireVersion.V1,
            "SendMessage",
            A2aWireVersion.V1.textMessage("m-1", "more", ",\"taskId\":\"%s\"".formatted(id)));

    List<String> all =
        List.of(
            "SendMessage joe", "SendMessage joe", "GetTask ann", "CancelTask joe", "GetTask joe");
    assertThat(found(agent().task(1))).isEqualTo(all);
    assertThat(found(id)).isEqualTo(all);
    assertThat(found("m-1")).containsExactly("SendMessage joe");
  }

  /** The calls that a lookup shows: those that have the id, then those that are about it. */
  private List<String> found(String id) throws IOException {
    return started()
        .node()
        .operator(NodeCaller.ALICE, "audit.lookup", "{\"id\":\"%s\"}".formatted(id))
        .at("/result/calls")
        .valueStream()
        .map(call -> call.path("method").asText() + " " + call.path("principal").asText())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageThatIsRejectedIsNotSent(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    String id = held(version, "plan");

    started().node().decide(held, false, "no");

    await()
        .untilAsserted(
            () -> assertThat(state(version, version.get, id)).isEqualTo(version.state("rejected")));
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageThatIsCancelledIsNotSent(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    String id = held(version, "plan");

    assertThat(state(version, version.cancel, id)).isEqualTo(version.state("canceled"));
    assertThat(state(version, version.get, id)).isEqualTo(version.state("canceled"));
    assertThat(agent().requests).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageIsOnlyItsSenders(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    String id = held(version, "plan");

    assertThat(notFound(version, id)).containsOnly(-32_001);
    approve();
    int requests = agent().requests.size();
    assertThat(notFound(version, id)).containsOnly(-32_001);
    assertThat(agent().requests).hasSize(requests);
  }

  private List<Integer> notFound(A2aWireVersion version, String id) throws Exception {
    return List.of(
        call(version, version.get, id, ANN).at("/error/code").asInt(),
        call(version, version.cancel, id, ANN).at("/error/code").asInt(),
        call(version, version.subscribe, id, ANN).at("/error/code").asInt());
  }

  @ParameterizedTest
  @EnumSource
  void streamEndsWithTheAgentsAnswerAndGoesOnThere(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    String id = held(version, "plan");
    try (BufferedReader stream = follow(version, id)) {
      assertThat(data(stream)).contains(id, version.state("submitted"));
      approve();
      assertThat(data(stream)).contains(id, version.state("working"));
      assertThat(data(stream)).isEmpty();
    }

    try (BufferedReader stream = follow(version, id)) {
      for (int i = 0; i < 3; i++) {
        assertThat(data(stream)).contains(id).doesNotContain(agent().task(1));
      }
      assertThat(data(stream)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageGoesOnAfterARestart(A2aWireVersion version) throws Exception {
    Path folder = AGENTS.folder();
    started = AGENTS.own(folder, version);
    String id = held(version, "plan");
    started().close();

    started = AGENTS.own(folder, version);
    assertThat(state(version, version.get, id)).isEqualTo(version.state("submitted"));
    approve();

    assertThat(state(version, version.get, id)).isEqualTo(version.state("completed"));
    assertThat(agent().requests.stream().map(it -> it.path("method").asText()))
        .containsExactly(version.send, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void foreignAnswerToAHeldMessageFailsIt(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode _ =
        JSON.readTree(
            started()
                .post(version, version.send, version.textMessage("plan", ""), ANN, next())
                .body());
    String id = held(version, "steal");

    started().node().decide(held, true, "fine");

    await()
        .untilAsserted(
            () -> assertThat(state(version, version.get, id)).isEqualTo(version.state("failed")));
    assertThat(call(version, version.get, id, JOE).toString())
        .doesNotContain(agent().task(1), "done");
  }

  /** Sends a message that is held; the id of its task. */
  private String held(A2aWireVersion version, String text) throws Exception {
    String params =
        version.configured(
            version.textMessage(text, ",\"metadata\":{\"skillId\":\"route\"}"), false);
    JsonNode result =
        JSON.readTree(started().post(version, version.send, params, JOE, held).body())
            .path("result");
    JsonNode task = version.task(result);
    assertThat(task.at("/status/state").asText()).isEqualTo(version.state("submitted"));
    assertThat(task.path("id").asText()).startsWith("gb_");
    return task.path("id").asText();
  }

  private void approve() throws IOException {
    started().node().decide(held, true, "fine");
    await().untilAsserted(() -> assertThat(started().last(held)).isInstanceOf(CallAnswered.class));
  }

  private String state(A2aWireVersion version, String method, String id) throws Exception {
    return call(version, method, id, JOE).at("/result/status/state").asText();
  }

  private JsonNode call(A2aWireVersion version, String method, String id, String token)
      throws Exception {
    return NodeReply.response(
        started().post(version, method, "{\"id\":\"%s\"}".formatted(id), token, next()).body());
  }

  private JsonNode post(A2aWireVersion version, String method, String params) throws Exception {
    return JSON.readTree(started().post(version, method, params, JOE, next()).body());
  }

  private BufferedReader follow(A2aWireVersion version, String id) throws Exception {
    return new BufferedReader(
        new InputStreamReader(
            started()
                .post(version, version.subscribe, "{\"id\":\"%s\"}".formatted(id), JOE, next())
                .body(),
            UTF_8));
  }

  private static String next() {
    return "held-" + CALLS.incrementAndGet();
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
