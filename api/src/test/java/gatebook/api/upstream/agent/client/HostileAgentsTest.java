package gatebook.api.upstream.agent.client;

import static gatebook.api.dialect.A2aVersion.V1_0;
import static gatebook.api.upstream.agent.client.AgentFixture.BY_ID;
import static gatebook.api.upstream.agent.client.AgentFixture.MESSAGE;
import static gatebook.api.upstream.agent.client.AgentFixture.SHORT_MILLIS;
import static gatebook.api.upstream.agent.client.AgentFixture.answering;
import static gatebook.api.upstream.agent.client.AgentFixture.artifact;
import static gatebook.api.upstream.agent.client.AgentFixture.endpoint;
import static gatebook.api.upstream.agent.client.AgentFixture.error;
import static gatebook.api.upstream.agent.client.AgentFixture.limits;
import static gatebook.api.upstream.agent.client.AgentFixture.result;
import static gatebook.api.upstream.agent.client.AgentFixture.send;
import static gatebook.api.upstream.agent.client.AgentFixture.status;
import static gatebook.api.upstream.agent.client.AgentFixture.streaming;
import static gatebook.api.upstream.agent.client.AgentFixture.task;
import static gatebook.api.upstream.source.StubServer.EVENTS;
import static gatebook.api.upstream.source.StubServer.JSON;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.upstream.RetrySchedule;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Peer;
import gatebook.api.upstream.source.StubServer.Request;
import gatebook.api.upstream.source.StubServer.Script;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents that break rules or limits: each gets a typed outcome, and its connection is closed. */
@Order(1)
class HostileAgentsTest {

  private static final String TASK = task(V1_0, "t1", A2aTaskState.WORKING);
  private static final String WORKING = status(V1_0, A2aTaskState.WORKING, false);
  private static final String COMPLETED = status(V1_0, A2aTaskState.COMPLETED, false);

  private final AgentFixture agentFixture = new AgentFixture();

  @AfterEach
  void close() {
    agentFixture.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | empty",
        "<html>secret | not JSON (syntax)",
        "[] | an array",
        "7 | no object",
        "{\"jsonrpc\":\"2.0\",\"id\":ID} | neither a result nor an error",
        "{\"jsonrpc\":\"1.0\",\"id\":ID,\"result\":{}} | its jsonrpc is not \"2.0\"",
        "{\"jsonrpc\":\"2.0\",\"id\":\"ID\",\"result\":{}} | its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}} | its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}} | its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"error\":{\"code\":1,\"message\":\"secret\"}}"
            + " | its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"result\":{}} | its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"a\":1,\"a\":2}} | a key is repeated",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"method\":\"secret\"} | a call"
      })
  void anAnswerThatIsNoResponseIsInvalid(String body, String defect) throws IOException {
    assertThat(taskFrom(answering(200, JSON, body), AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer is not JSON-RPC: " + defect));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/html", "text/plain"})
  void anotherMediaTypeIsInvalid(String type) throws IOException {
    String headers = "Content-Type: %s\r\n".formatted(type);

    assertThat(taskFrom(answering(200, headers, result(TASK)), AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer's media type is not JSON"));
  }

  @Test
  void aStreamInsteadOfAResponseIsInvalid() throws IOException {
    Script script =
        peer -> {
          Request request = peer.request();
          send(peer, request, result(TASK));
          endlessly(peer, ": still here\n\n");
        };

    assertThat(taskFrom(script, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer's media type is not JSON"));
  }

  @ParameterizedTest
  @CsvSource({
    "'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{', closed within the answer's body",
    "'HTTP/1.1 200 OK\r\nContent-', closed within the answer's headers"
  })
  void anAgentThatDiesInItsAnswerIsInvalid(String beginning, String defect) throws IOException {
    Script script =
        peer -> {
          Request _ = peer.request();
          peer.send(beginning);
        };

    assertThat(taskFrom(script, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the connection was " + defect));
  }

  @Test
  void anAnswerThatIsNotHttpIsInvalid() throws IOException {
    Script script =
        peer -> {
          Request _ = peer.request();
          peer.send("SSH-2.0-secret\r\n\r\n");
          peer.waitForEnd();
        };

    assertThat(taskFrom(script, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer is not HTTP"));
  }

  @Test
  void aHundredMegabytesAreNotRead() throws IOException {
    Script announced =
        peer -> {
          Request _ = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%sContent-Length: 104857600\r\n\r\n".formatted(JSON));
          endlessly(peer, "x".repeat(0x10000));
        };
    Semaphore sent = new Semaphore(0);
    Script chunked =
        peer -> {
          Request _ = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n".formatted(JSON));
          byte[] chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(UTF_8);
          while (true) {
            peer.send(chunk);
            sent.release();
          }
        };

    assertThat(taskFrom(announced, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer is too large"));
    assertThat(taskFrom(chunked, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer is too large"));
    assertThat(sent.availablePermits()).isLessThan(1_000); // 64 MB
  }

  @Test
  void aResponseMayBeAsLargeAsItsLimit() throws IOException {
    int bytes = result(TASK).replace("ID", "1").length();

    assertThat(taskFrom(answering(200, JSON, result(TASK)), limits("responseBytesMax", bytes)))
        .isInstanceOf(Success.class);
    assertThat(taskFrom(answering(200, JSON, result(TASK)), limits("responseBytesMax", bytes - 1)))
        .isEqualTo(AgentOutcome.invalid("the answer is too large"));
  }

  @Test
  void aResponseMayBeAsDeepAsItsLimit() throws IOException {
    Script script = answering(200, JSON, result(TASK)); // response, task, status

    assertThat(taskFrom(script, limits("depthMax", 3))).isInstanceOf(Success.class);
    assertThat(taskFrom(script, limits("depthMax", 2)))
        .isEqualTo(AgentOutcome.invalid("the answer is not JSON-RPC: deeper than 2 levels"));
  }

  @Test
  void anAgentThatDripsItsAnswerTimesOut() throws IOException {
    Script script =
        peer -> {
          Request _ = peer.request();
          peer.send("HTTP/1.1 200 OK\r\n%sContent-Length: 1000000\r\n\r\n".formatted(JSON));
          endlessly(peer, " ");
        };

    assertThat(
            taskFrom(script, new AgentSettings(shortAnswers(), onceOnly(), AgentFixture.INSTANT)))
        .isEqualTo(AgentOutcome.failed(new Timeout(SHORT_MILLIS)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ": still here\n\n", "id: 7\n\n", "data: {"})
  void aStreamWithoutItemsTimesOut(String drop) throws IOException {
    Script script =
        peer -> {
          send(peer, peer.request(), result(WORKING));
          if (drop.isEmpty()) {
            peer.waitForEnd();
          } else {
            endlessly(peer, drop);
          }
        };

    assertThat(streamFrom(script, limits("streamIdleMillisMax", SHORT_MILLIS)))
        .isEqualTo(AgentOutcome.failed(new Timeout(SHORT_MILLIS)));
    assertThat(agentFixture.attempts)
        .containsExactly(new Attempt(1, Attempt.Result.TRANSIENT, new Timeout(SHORT_MILLIS), null));
  }

  @Test
  void aStreamThatGoesOnTimesOut() throws IOException {
    Script script =
        peer -> {
          Request request = peer.request();
          send(peer, request);
          endlessly(peer, "data: %s\n\n".formatted(result(WORKING).replace("ID", request.id())));
        };

    assertThat(streamFrom(script, limits("streamMillisMax", SHORT_MILLIS)))
        .isEqualTo(AgentOutcome.failed(new Timeout(SHORT_MILLIS)));
  }

  @Test
  void aStreamMayHaveAsManyItemsAsItsLimit() throws IOException {
    Script script = streaming(WORKING, artifact(V1_0, "t1"), COMPLETED);

    assertThat(streamFrom(script, limits("streamItemsMax", 3))).isInstanceOf(Success.class);
    assertThat(streamFrom(script, limits("streamItemsMax", 2)))
        .isEqualTo(AgentOutcome.invalid("the stream has too many items"));
  }

  @Test
  void aStreamMayBeAsLargeAsItsLimit() throws IOException {
    Script script = streaming(WORKING, COMPLETED);
    int bytes = (result(WORKING) + result(COMPLETED)).replace("ID", "1").length();

    assertThat(streamFrom(script, limits("streamBytesMax", bytes))).isInstanceOf(Success.class);
    assertThat(streamFrom(script, limits("streamBytesMax", bytes - 1)))
        .isEqualTo(AgentOutcome.invalid("the stream is too large"));
  }

  @Test
  void anItemMayBeAsLargeAsItsLimit() throws IOException {
    int bytes = result(COMPLETED).replace("ID", "1").length();

    assertThat(streamFrom(streaming(COMPLETED), limits("itemBytesMax", bytes)))
        .isInstanceOf(Success.class);
    assertThat(streamFrom(streaming(COMPLETED), limits("itemBytesMax", bytes - 1)))
        .isEqualTo(AgentOutcome.invalid("an item of the stream is too large"));
  }

  @Test
  void anEndlessStreamIsCutAtItsLimit() throws IOException {
    Script script =
        peer -> {
          Request request = peer.request();
          send(peer, request);
          String item = "data: %s\n\n".formatted(result(WORKING).replace("ID", request.id()));
          while (true) {
            peer.send(item.repeat(100));
          }
        };

    assertThat(streamFrom(script, limits("streamItemsMax", 10_000)))
        .isEqualTo(AgentOutcome.invalid("the stream has too many items"));
  }

  @Test
  void anEndlessItemIsCutAtItsLimit() throws IOException {
    Script script =
        peer -> {
          send(peer, peer.request());
          peer.send("data: ");
          while (true) {
            peer.send("x".repeat(0x10000));
          }
        };

    assertThat(streamFrom(script, AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.invalid("the answer is too large"));
  }

  @Test
  void onlyTheMessageOfAnErrorIsTheAgents() throws IOException {
    assertThat(taskFrom(answering(200, JSON, error(7, "theirs")), AgentFixture.PATIENT))
        .isEqualTo(AgentOutcome.failed(new AgentFailure.ServerError(7, "theirs")));
    assertThat(
            taskFrom(
                answering(418, "X-Theirs: theirs\r\n" + EVENTS, error(7, "theirs") + "theirs"),
                AgentFixture.PATIENT))
        .asString()
        .doesNotContain("theirs");
  }

  private static AgentLimits shortAnswers() {
    return limits("answerMillisMax", SHORT_MILLIS);
  }

  private static RetrySchedule onceOnly() {
    return RetrySchedule.doubling(Duration.ZERO, Duration.ZERO, 0);
  }

  /** Sends the same again until the connection is closed. */
  private static void endlessly(Peer peer, String piece) throws IOException {
    while (true) {
      peer.send(piece);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private AgentOutcome<AgentItem> taskFrom(Script script, AgentLimits limits) throws IOException {
    return taskFrom(script, AgentSettings.of(limits, AgentFixture.INSTANT));
  }

  private AgentOutcome<AgentItem> taskFrom(Script script, AgentSettings settings)
      throws IOException {
    try (StubServer agent = new StubServer(script)) {
      AgentOutcome<AgentItem> outcome =
          agentFixture
              .client(agent.url("/"), settings)
              .getTask(endpoint(agent, V1_0), BY_ID, agentFixture.noting())
              .join();
      await().until(() -> agent.open() == 0);
      return outcome;
    }
  }

  private AgentOutcome<StreamEnd> streamFrom(Script script, AgentLimits limits) throws IOException {
    try (StubServer agent = new StubServer(script)) {
      AgentOutcome<StreamEnd> outcome =
          agentFixture
              .client(agent.url("/"), limits)
              .sendStreamingMessage(
                  endpoint(agent, V1_0), MESSAGE, AgentFixture.IGNORING, agentFixture.noting())
              .join();
      await().until(() -> agent.open() == 0);
      return outcome;
    }
  }
}
