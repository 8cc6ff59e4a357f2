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
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.AgentTaskCreated;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAnswered;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Duplicate messages to an agent upstream: the same id gets the same task. */
@Timeout(300)
final class DuplicateMessagesToAgentsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String USED_AGAIN = "gatebook_a2a_message_ids_used_again_total";
  private static final AtomicInteger TESTS = new AtomicInteger();

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private final int test = TESTS.incrementAndGet();
  private final AtomicInteger calls = new AtomicInteger();
  private final String messageId = UUID.randomUUID().toString();
  private @Nullable AgentBehindNode started;

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void duplicateMessageReadsItsTask(A2aWireVersion caller, A2aWireVersion spoken) throws Exception {
    started = AGENTS.shared(spoken);

    JsonNode first = caller.task(send(caller, messageId, "plan", JOE).path("result"));
    JsonNode second = caller.task(send(caller, messageId, "plan", JOE).path("result"));

    assertThat(first.path("id").asText()).isEqualTo(agent().task(1));
    assertThat(second.path("id").asText()).isEqualTo(agent().task(1));
    assertThat(methods()).containsExactly(spoken.send, spoken.get);
    assertThat(agent().requests.getFirst().at("/params/message/messageId").asText())
        .isEqualTo(messageId);
    assertThat(started().names(call(2)))
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
  }

  @ParameterizedTest
  @EnumSource
  void eachVersionRecognisesMessagesOfTheOther(A2aWireVersion first) throws Exception {
    started = AGENTS.shared(A2aWireVersion.V1);
    A2aWireVersion second = first == A2aWireVersion.V03 ? A2aWireVersion.V1 : A2aWireVersion.V03;

    JsonNode _ = send(first, messageId, "plan", JOE);

    assertThat(second.task(send(second, messageId, "plan", JOE).path("result")).path("id").asText())
        .isEqualTo(agent().task(1));
    assertThat(methods()).containsExactly("SendMessage", "GetTask");
  }

  @ParameterizedTest
  @EnumSource
  void duplicateMessageIsKnownAfterARestart(A2aWireVersion version) throws Exception {
    Path folder = AGENTS.folder();
    started = AGENTS.own(folder, version);
    JsonNode _ = send(version, messageId, "plan", JOE);
    started().close();

    started = AGENTS.own(folder, version);
    JsonNode again = send(version, messageId, "plan", JOE).path("result");
    assertThat(version.task(again).path("id").asText()).isEqualTo("task-1");
    assertThat(methods()).containsExactly(version.get);
  }

  @ParameterizedTest
  @EnumSource
  void otherContentIsANewMessage(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    Map<String, Double> before = started().node().counted(USED_AGAIN);
    JsonNode _ = send(version, messageId, "plan", JOE);

    JsonNode other = send(version, messageId, "plan something else", JOE).path("result");
    JsonNode again = send(version, messageId, "plan", JOE).path("result");

    assertThat(version.task(other).path("id").asText()).isEqualTo(agent().task(2));
    assertThat(version.task(again).path("id").asText()).isEqualTo(agent().task(1));
    assertThat(methods()).containsExactly(version.send, version.send, version.get);
    assertThat(started().node().increments(USED_AGAIN, before)).isEqualTo(Map.of(USED_AGAIN, 1.0));
  }

  @ParameterizedTest
  @EnumSource
  void equalMessagesAtOnceAreSentOnce(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = answerLater(arrived);

    List<CompletableFuture<JsonNode>> all =
        List.of(sendLater(version), sendLater(version), sendLater(version));
    arrived.await();
    released.countDown();

    for (CompletableFuture<JsonNode> sent : all) {
      assertThat(version.task(sent.join().path("result")).path("id").asText())
          .as("%s", sent.join())
          .isEqualTo(agent().task(1));
    }
    assertThat(methods()).containsExactly(version.send, version.get, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void messageWhoseSenderDisconnectedHasItsTask(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch released = answerLater(arrived);
    CompletableFuture<HttpResponse<InputStream>> gone =
        started()
            .http()
            .sendAsync(
                started()
                    .request(
                        version,
                        version.send,
                        version.textMessage(messageId, "script", ""),
                        JOE,
                        call(0)),
                BodyHandlers.ofInputStream());
    arrived.await();

    gone.cancel(true);
    await()
        .untilAsserted(() -> assertThat(started().last(call(0))).isInstanceOf(CallAbandoned.class));
    CompletableFuture<JsonNode> again = sendLater(version);
    released.countDown();

    assertThat(version.task(again.join().path("result")).path("id").asText())
        .isEqualTo(agent().task(1));
    assertThat(methods()).containsExactly(version.send, version.get);
    assertThat(started().names(call(0)))
        .containsExactly(
            "CallReceived", "CallAdmitted", "CallForwarded", "CallAbandoned", "AgentTaskCreated");
  }

  /** The agent answers a message when it is released. */
  private CountDownLatch answerLater(CountDownLatch arrived) {
    CountDownLatch released = new CountDownLatch(1);
    agent().answerScript =
        stream -> {
          arrived.countDown();
          try {
            released.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          stream.sent(agent().task(1), agent().context(1));
        };
    return released;
  }

  private CompletableFuture<JsonNode> sendLater(A2aWireVersion version) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return send(version, messageId, "script", JOE);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  @ParameterizedTest
  @EnumSource
  void anotherCallersMessageIsAnother(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode _ = send(version, messageId, "plan", JOE);

    assertThat(
            version.task(send(version, messageId, "plan", ANN).path("result")).path("id").asText())
        .isEqualTo(agent().task(2));
    assertThat(methods()).containsExactly(version.send, version.send);
  }

  @ParameterizedTest
  @EnumSource
  void messageThatFailedIsSentAgain(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);

    assertThat(send(version, messageId, "fail", JOE).has("error")).isTrue();
    assertThat(send(version, messageId, "plan", JOE).has("result")).isTrue();
    assertThat(methods()).containsExactly(version.send, version.send);
  }

  @ParameterizedTest
  @EnumSource
  void messageThatLimitsForgetIsSentAgain(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version, AgentBehindNode.SOURCE, "agent_message_kept_millis: 0");

    JsonNode _ = send(version, messageId, "plan", JOE);

    assertThat(
            version.task(send(version, messageId, "plan", JOE).path("result")).path("id").asText())
        .isEqualTo(agent().task(2));
  }

  @ParameterizedTest
  @EnumSource
  void duplicateStreamHasTheTaskAlone(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode _ = send(version, messageId, "plan", JOE);

    try (BufferedReader stream = stream(version, messageId, "plan")) {
      assertThat(data(stream)).contains(agent().task(1)).contains("\"id\":7");
      assertThat(data(stream)).isEmpty();
    }
    assertThat(methods()).containsExactly(version.send, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void streamIsRecognisedWhenItIsRepeated(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    try (BufferedReader stream = stream(version, messageId, "plan")) {
      while (!data(stream).isEmpty()) {
        // up to its end
      }
    }

    assertThat(
            version.task(send(version, messageId, "plan", JOE).path("result")).path("id").asText())
        .isEqualTo(agent().task(1));
    assertThat(methods()).containsExactly(version.stream, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageHasOneTaskBeforeAndAfterItsApproval(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode first = held(version);
    String id = version.task(first.path("result")).path("id").asText();
    assertThat(id).as(first.toString()).startsWith("gb_");

    JsonNode waiting = version.task(held(version).path("result"));
    assertThat(waiting.path("id").asText()).isEqualTo(id);
    assertThat(waiting.at("/status/state").asText()).isEqualTo(version.state("submitted"));
    started().node().decide(call(1), true, "fine");
    await()
        .untilAsserted(() -> assertThat(started().last(call(1))).isInstanceOf(CallAnswered.class));
    JsonNode approved = version.task(held(version).path("result"));

    assertThat(approved.path("id").asText()).isEqualTo(id);
    assertThat(approved.at("/status/state").asText()).isEqualTo(version.state("completed"));
    assertThat(methods()).containsExactly(version.send, version.get);
  }

  /**
   * The first was held by the rule for its skill, and the second was forwarded to read the task.
   */
  @ParameterizedTest
  @EnumSource
  void duplicateMessageIsDecidedAgainAsAReading(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode _ = held(version);
    started().node().decide(call(1), true, "fine");
    await()
        .untilAsserted(() -> assertThat(started().last(call(1))).isInstanceOf(CallAnswered.class));
    JsonNode _ = held(version);

    assertThat(decidedAgain(call(1))).isEqualTo("held for ops held for ops true false");
    assertThat(decidedAgain(call(2))).isEqualTo("forwarded forwarded true false");
  }

  /** What was decided and would be now, whether the former agrees with the record, and differs. */
  private String decidedAgain(String id) throws IOException {
    JsonNode result =
        started()
            .node()
            .operator(NodeCaller.ALICE, "audit.replayCall", "{\"id\":\"%s\"}".formatted(id))
            .path("result");
    return "%s %s %b %b"
        .formatted(
            result.at("/then/outcome").asText(),
            result.at("/now/outcome").asText(),
            result.at("/then/agrees").asBoolean(),
            result.at("/now/differs").asBoolean());
  }

  @ParameterizedTest
  @EnumSource
  void journalHasNoContentOfTheMessageInTheClear(A2aWireVersion version) throws Exception {
    started = AGENTS.shared(version);
    JsonNode _ = send(version, "very-own-id", "plan", JOE);

    assertThat(started().node().events(call(1)))
        .filteredOn(AgentTaskCreated.class::isInstance)
        .singleElement()
        .satisfies(event -> assertThat(((AgentTaskCreated) event).message()).isNotNull())
        .asString()
        .doesNotContain("very-own-id");
  }

  private JsonNode held(A2aWireVersion version) throws Exception {
    return post(
        version,
        version.send,
        version.configured(
            version.textMessage(messageId, "plan", ",\"metadata\":{\"skillId\":\"route\"}"), false),
        JOE);
  }

  private JsonNode send(A2aWireVersion version, String messageId, String text, String token)
      throws Exception {
    return post(version, version.send, version.textMessage(messageId, text, ""), token);
  }

  private JsonNode post(A2aWireVersion version, String method, String params, String token)
      throws Exception {
    return JSON.readTree(started().post(version, method, params, token, nextCall()).body());
  }

  private BufferedReader stream(A2aWireVersion version, String messageId, String text)
      throws Exception {
    return new BufferedReader(
        new InputStreamReader(
            started()
                .post(
                    version,
                    version.stream,
                    version.textMessage(messageId, text, ""),
                    JOE,
                    nextCall())
                .body(),
            UTF_8));
  }

  private String nextCall() {
    return call(calls.incrementAndGet());
  }

  /** The correlation id of a call of this test. */
  private String call(int number) {
    return "call-%d-%d".formatted(test, number);
  }

  private List<String> methods() {
    return agent().requests.stream().map(it -> it.path("method").asText()).toList();
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
