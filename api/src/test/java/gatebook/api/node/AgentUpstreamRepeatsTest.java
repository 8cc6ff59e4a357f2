package gatebook.api.node;

import static gatebook.api.node.AgentBehindNode.ANN;
import static gatebook.api.node.AgentBehindNode.JOE;
import static gatebook.api.node.EventStream.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.node.AgentUpstreamOverHttpTest.Version;
import gatebook.events.AgentTaskCreated;
import gatebook.events.CallAnswered;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats of messages to an agent upstream: the same id gets the same task. */
@Timeout(300)
final class AgentUpstreamRepeatsTest {
  private static final JsonMapper JSON = new JsonMapper();

  private final AtomicInteger calls = new AtomicInteger();
  @TempDir private Path folder;
  private @Nullable AgentBehindNode started;

  @AfterEach
  void stop() throws IOException {
    started().close();
  }

  @ParameterizedTest
  @CsvSource({"V03,V03", "V03,V1", "V1,V03", "V1,V1"})
  void repeatedMessageReadsItsTask(Version caller, Version spoken) throws Exception {
    started = AgentBehindNode.start(folder, spoken);

    JsonNode first = task(caller, send(caller, "m", "plan", JOE));
    JsonNode second = task(caller, send(caller, "m", "plan", JOE));

    assertThat(first.path("id").asText()).isEqualTo("task-1");
    assertThat(second.path("id").asText()).isEqualTo("task-1");
    assertThat(methods()).containsExactly(spoken.send, spoken.get);
    assertThat(agent().requests.getFirst().at("/params/message/messageId").asText()).isEqualTo("m");
    assertThat(started().names("call-2"))
        .containsExactly("CallReceived", "CallAdmitted", "CallForwarded", "CallAnswered");
  }

  @ParameterizedTest
  @EnumSource
  void eachVersionRecognisesMessagesOfTheOther(Version first) throws Exception {
    started = AgentBehindNode.start(folder, Version.V1);
    Version second = first == Version.V03 ? Version.V1 : Version.V03;

    JsonNode _ = send(first, "m", "plan", JOE);

    assertThat(task(second, send(second, "m", "plan", JOE)).path("id").asText())
        .isEqualTo("task-1");
    assertThat(methods()).containsExactly("SendMessage", "GetTask");
  }

  @ParameterizedTest
  @EnumSource
  void repeatedMessageIsKnownAfterARestart(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode _ = send(version, "m", "plan", JOE);
    started.close();
    started = AgentBehindNode.start(folder, version);

    assertThat(task(version, send(version, "m", "plan", JOE)).path("id").asText())
        .isEqualTo("task-1");
    assertThat(methods()).containsExactly(version.get);
  }

  @ParameterizedTest
  @EnumSource
  void otherContentIsNotSent(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode _ = send(version, "m", "plan", JOE);

    JsonNode error = send(version, "m", "plan something else", JOE).path("error");

    assertThat(error.path("code").asInt()).isEqualTo(-32_602);
    assertThat(error.path("data").toString()).contains("message.messageId");
    assertThat(methods()).containsExactly(version.send);
  }

  @ParameterizedTest
  @EnumSource
  void anotherCallersMessageIsAnother(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode _ = send(version, "m", "plan", JOE);

    assertThat(task(version, send(version, "m", "plan", ANN)).path("id").asText())
        .isEqualTo("task-2");
    assertThat(methods()).containsExactly(version.send, version.send);
  }

  @ParameterizedTest
  @EnumSource
  void messageThatFailedIsSentAgain(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);

    assertThat(send(version, "m", "fail", JOE).has("error")).isTrue();
    assertThat(send(version, "m", "plan", JOE).has("result")).isTrue();
    assertThat(methods()).containsExactly(version.send, version.send);
  }

  @ParameterizedTest
  @EnumSource
  void messageThatLimitsForgetIsSentAgain(Version version) throws Exception {
    started =
        AgentBehindNode.start(folder, version, "timeout: 20s", "agent_message_kept_millis: 0");

    JsonNode _ = send(version, "m", "plan", JOE);

    assertThat(task(version, send(version, "m", "plan", JOE)).path("id").asText())
        .isEqualTo("task-2");
  }

  @ParameterizedTest
  @EnumSource
  void repeatedStreamHasTheTaskAlone(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode _ = send(version, "m", "plan", JOE);

    try (BufferedReader stream = stream(version, "m", "plan")) {
      assertThat(data(stream)).contains("task-1").contains("\"id\":7");
      assertThat(data(stream)).isEmpty();
    }
    assertThat(methods()).containsExactly(version.send, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void streamIsRecognisedWhenItIsRepeated(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    try (BufferedReader stream = stream(version, "m", "plan")) {
      while (!data(stream).isEmpty()) {
        // up to its end
      }
    }

    assertThat(task(version, send(version, "m", "plan", JOE)).path("id").asText())
        .isEqualTo("task-1");
    assertThat(methods()).containsExactly(version.stream, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void heldMessageHasOneTaskBeforeAndAfterItsApproval(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode first = held(version);
    String id = task(version, first).path("id").asText();
    assertThat(id).as(first.toString()).startsWith("gb_");

    JsonNode waiting = task(version, held(version));
    assertThat(waiting.path("id").asText()).isEqualTo(id);
    assertThat(waiting.at("/status/state").asText()).isEqualTo(version.state("submitted"));
    started().node().decide("call-1", true, "fine");
    await()
        .untilAsserted(() -> assertThat(started().last("call-1")).isInstanceOf(CallAnswered.class));
    JsonNode approved = task(version, held(version));

    assertThat(approved.path("id").asText()).isEqualTo(id);
    assertThat(approved.at("/status/state").asText()).isEqualTo(version.state("completed"));
    assertThat(methods()).containsExactly(version.send, version.get);
  }

  @ParameterizedTest
  @EnumSource
  void journalHasNoContentOfTheMessageInTheClear(Version version) throws Exception {
    started = AgentBehindNode.start(folder, version);
    JsonNode _ = send(version, "very-own-id", "plan", JOE);

    assertThat(started().node().events("call-1"))
        .filteredOn(AgentTaskCreated.class::isInstance)
        .singleElement()
        .satisfies(event -> assertThat(((AgentTaskCreated) event).message()).isNotNull())
        .asString()
        .doesNotContain("very-own-id");
  }

  private JsonNode held(Version version) throws Exception {
    String configuration =
        version == Version.V1 ? "{\"returnImmediately\":true}" : "{\"blocking\":false}";
    return post(
        version,
        version.send,
        params(version, "m", "plan", ",\"metadata\":{\"skillId\":\"route\"}")
            .replaceFirst("^\\{", "{\"configuration\":%s,".formatted(configuration)),
        JOE);
  }

  private JsonNode send(Version version, String messageId, String text, String token)
      throws Exception {
    return post(version, version.send, params(version, messageId, text, ""), token);
  }

  private JsonNode post(Version version, String method, String params, String token)
      throws Exception {
    return JSON.readTree(started().post(version, method, params, token, nextCall()).body());
  }

  private BufferedReader stream(Version version, String messageId, String text) throws Exception {
    return new BufferedReader(
        new InputStreamReader(
            started()
                .post(
                    version, version.stream, params(version, messageId, text, ""), JOE, nextCall())
                .body(),
            UTF_8));
  }

  private String nextCall() {
    return "call-" + calls.incrementAndGet();
  }

  private static String params(Version version, String messageId, String text, String member) {
    return version.message(messageId, text, member);
  }

  private static JsonNode task(Version version, JsonNode response) {
    JsonNode result = response.path("result");
    return version == Version.V1 ? result.path("task") : result;
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
