package gatebook.api.upstream.agent.client;

import static gatebook.api.dialect.A2aVersion.V0_3;
import static gatebook.api.dialect.A2aVersion.V1_0;
import static gatebook.api.upstream.agent.client.AgentFixture.BY_ID;
import static gatebook.api.upstream.agent.client.AgentFixture.MESSAGE;
import static gatebook.api.upstream.agent.client.AgentFixture.answering;
import static gatebook.api.upstream.agent.client.AgentFixture.artifact;
import static gatebook.api.upstream.agent.client.AgentFixture.endpoint;
import static gatebook.api.upstream.agent.client.AgentFixture.error;
import static gatebook.api.upstream.agent.client.AgentFixture.events;
import static gatebook.api.upstream.agent.client.AgentFixture.result;
import static gatebook.api.upstream.agent.client.AgentFixture.send;
import static gatebook.api.upstream.agent.client.AgentFixture.status;
import static gatebook.api.upstream.agent.client.AgentFixture.streaming;
import static gatebook.api.upstream.agent.client.AgentFixture.task;
import static gatebook.api.upstream.source.StubServer.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InternalError;
import gatebook.api.upstream.agent.client.AgentFailure.ServerError;
import gatebook.api.upstream.agent.client.AgentFailure.TaskNotFound;
import gatebook.api.upstream.agent.client.AgentItem.Kind;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Request;
import gatebook.api.upstream.source.StubServer.Script;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentStreamTest {

  private final AgentFixture agentFixture = new AgentFixture();
  private final List<AgentItem> items = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    agentFixture.close();
  }

  @Test
  void itemsOfVersion03ArriveInOrder() throws IOException {
    String task = task(V0_3, "t1", A2aTaskState.SUBMITTED);
    String artifact = artifact(V0_3, "t1");
    String working = status(V0_3, A2aTaskState.WORKING, false);
    String completed = status(V0_3, A2aTaskState.COMPLETED, false);
    String last = status(V0_3, A2aTaskState.COMPLETED, true);

    assertThat(sent(V0_3, streaming(task, working, artifact, completed, artifact, last, artifact)))
        .isEqualTo(AgentOutcome.success(new StreamEnd(6, A2aTaskState.COMPLETED)));
    assertThat(items)
        .containsExactly(
            item(Kind.TASK, A2aTaskState.SUBMITTED, task),
            item(Kind.STATUS_UPDATE, A2aTaskState.WORKING, working),
            new AgentItem(Kind.ARTIFACT_UPDATE, "t1", "c1", null, artifact, artifact),
            item(Kind.STATUS_UPDATE, A2aTaskState.COMPLETED, completed),
            new AgentItem(Kind.ARTIFACT_UPDATE, "t1", "c1", null, artifact, artifact),
            item(Kind.STATUS_UPDATE, A2aTaskState.COMPLETED, last));
  }

  @Test
  void itemsOfVersion10ArriveInOrder() throws IOException {
    String task = task(V1_0, "t1", A2aTaskState.SUBMITTED);
    String artifact = artifact(V1_0, "t1");
    String last = status(V1_0, A2aTaskState.FAILED, false);

    assertThat(sent(V1_0, streaming("{\"task\":%s}".formatted(task), artifact, last, artifact)))
        .isEqualTo(AgentOutcome.success(new StreamEnd(3, A2aTaskState.FAILED)));
    assertThat(items)
        .extracting(AgentItem::kind, AgentItem::payload, AgentItem::result)
        .containsExactly(
            tuple(Kind.TASK, task, "{\"task\":%s}".formatted(task)),
            tuple(Kind.ARTIFACT_UPDATE, inner(artifact), artifact),
            tuple(Kind.STATUS_UPDATE, inner(last), last));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "V0_3 | {\"kind\":\"message\",\"messageId\":\"m\"}",
        "V1_0 | {\"message\":{\"messageId\":\"m\"}}"
      })
  void aMessageIsTheOnlyItem(A2aVersion version, String message) throws IOException {
    assertThat(sent(version, streaming(message, message)))
        .isEqualTo(AgentOutcome.success(new StreamEnd(1, null)));
    assertThat(items).extracting(AgentItem::kind).containsExactly(Kind.MESSAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "V0_3, INPUT_REQUIRED, true",
    "V0_3, CANCELED, true",
    "V1_0, AUTH_REQUIRED, true",
    "V0_3, WORKING, false",
    "V1_0, SUBMITTED, false"
  })
  void aStreamMayEndWhenItsTaskRests(A2aVersion version, A2aTaskState state, boolean allowed)
      throws IOException {
    assertThat(sent(version, streaming(status(version, state, false))))
        .isEqualTo(
            allowed
                ? AgentOutcome.success(new StreamEnd(1, state))
                : AgentOutcome.invalid("the stream ended before its task did"));
    assertThat(items).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(A2aVersion.class)
  void aStreamWithoutItemsIsInvalid(A2aVersion version) throws IOException {
    assertThat(sent(version, streaming()))
        .isEqualTo(AgentOutcome.invalid("the stream ended before its task did"));
  }

  @Test
  void anAgentThatDiesLeavesAnIncompleteStream() throws IOException {
    Script script =
        peer -> {
          send(peer, peer.request(), result(status(V1_0, A2aTaskState.WORKING, false)));
          await().until(() -> items.size() == 1);
          peer.reset();
        };

    assertThat(sent(V1_0, script))
        .isEqualTo(AgentOutcome.invalid("the stream ended before its task did"));
    assertThat(agentFixture.attempts).hasSize(1);
  }

  @Test
  void commentsAndPositionsAreNoItems() throws IOException {
    Script script =
        peer -> {
          Request request = peer.request();
          peer.send(
              "HTTP/1.1 200 OK\r\n%s\r\n: hello\n\nid: 7\n\nretry: 1\n\nevent: x\ndata:\n\n"
                  .formatted(StubServer.EVENTS));
          peer.send(
              "event: message\ndata: %s\n\n"
                  .formatted(
                      result(status(V1_0, A2aTaskState.COMPLETED, true))
                          .replace("ID", request.id())));
        };

    assertThat(sent(V1_0, script))
        .isEqualTo(AgentOutcome.success(new StreamEnd(1, A2aTaskState.COMPLETED)));
  }

  @Test
  void aRefusedStreamHasTheErrorAsItsBody() throws IOException {
    assertThat(sent(V1_0, answering(200, JSON, error(-32_004, "no"))))
        .isEqualTo(AgentOutcome.failed(new ServerError(-32_004, "no")));
    assertThat(sent(V1_0, answering(401, "", "secret")))
        .isEqualTo(AgentOutcome.failed(new HttpError(401, null)));
    assertThat(subscribed(V1_0, answering(200, JSON, error(-32_001, "no"))))
        .isEqualTo(AgentOutcome.failed(new TaskNotFound("t1")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ID", "null"})
  void anErrorInAStreamEndsIt(String id) throws IOException {
    assertThat(
            sent(
                V1_0,
                events(
                    result(status(V1_0, A2aTaskState.WORKING, false)),
                    error(-32_603, "no").replace("ID", id),
                    result(status(V1_0, A2aTaskState.COMPLETED, false)))))
        .isEqualTo(AgentOutcome.failed(new ServerError(-32_603, "no")));
    assertThat(items).hasSize(1);
  }

  @Test
  void aSingleResponseIsAStreamOfOneItem() throws IOException {
    String task = task(V0_3, "t1", A2aTaskState.COMPLETED);

    assertThat(sent(V0_3, answering(200, JSON, result(task))))
        .isEqualTo(AgentOutcome.success(new StreamEnd(1, A2aTaskState.COMPLETED)));
    assertThat(sent(V0_3, answering(200, JSON, result(task) + "\n")))
        .isEqualTo(AgentOutcome.success(new StreamEnd(1, A2aTaskState.COMPLETED)));
    assertThat(items).extracting(AgentItem::payload).containsExactly(task, task);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"
            + " | the answer is not JSON-RPC: its id is not that of the request",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"method\":\"secret\"} | the answer is not JSON-RPC: a"
            + " call",
        "{\"id\":ID,\"result\":{}} | the answer is not JSON-RPC: its jsonrpc is not \"2.0\"",
        "secret | the answer is not JSON-RPC: not JSON (syntax)",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"error\":\"secret\"}}"
            + " | the result is of no kind that was asked for",
        "{\"jsonrpc\":\"2.0\",\"id\":ID,\"error\":{\"message\":\"secret\"}}"
            + " | the error has no code"
      })
  void anInvalidItemEndsTheStream(String message, String defect) throws IOException {
    String working = result(status(V1_0, A2aTaskState.WORKING, false));
    String completed = result(status(V1_0, A2aTaskState.COMPLETED, false));

    assertThat(sent(V1_0, events(working, message, completed)))
        .isEqualTo(AgentOutcome.invalid(defect));
    assertThat(items).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(A2aVersion.class)
  void anItemOfAnotherTaskEndsTheStream(A2aVersion version) throws IOException {
    AgentOutcome<StreamEnd> foreign =
        AgentOutcome.invalid("an item of the stream belongs to another task");

    assertThat(sent(version, streaming(artifact(version, "t1"), artifact(version, "secret"))))
        .isEqualTo(foreign);
    assertThat(items).hasSize(1);
    assertThat(subscribed(version, streaming(artifact(version, "secret")))).isEqualTo(foreign);
    assertThat(items).hasSize(1);
  }

  @Test
  void itemsOutOfOrderEndTheStream() throws IOException {
    AgentOutcome<StreamEnd> outOfOrder =
        AgentOutcome.invalid("the items of the stream are out of order");
    String completed = status(V0_3, A2aTaskState.COMPLETED, false);
    String working = status(V0_3, A2aTaskState.WORKING, false);
    String message = "{\"message\":{\"messageId\":\"m\"}}";

    assertThat(sent(V0_3, streaming(completed, working))).isEqualTo(outOfOrder);
    assertThat(items).hasSize(1);
    assertThat(sent(V1_0, streaming(artifact(V1_0, "t1"), message))).isEqualTo(outOfOrder);
    assertThat(items).hasSize(2);
  }

  @Test
  void itemsArriveAtTheListenersPace() throws Exception {
    BlockingQueue<CompletableFuture<Void>> turns = new LinkedBlockingQueue<>();
    AgentStreamListener slow =
        item -> {
          items.add(item);
          CompletableFuture<Void> turn = new CompletableFuture<>();
          turns.add(turn);
          return turn;
        };
    String[] all = {
      result(status(V1_0, A2aTaskState.SUBMITTED, false)),
      result(status(V1_0, A2aTaskState.WORKING, false)),
      result(status(V1_0, A2aTaskState.COMPLETED, false))
    };
    try (StubServer agent = new StubServer(chunked(all))) {
      CompletableFuture<AgentOutcome<StreamEnd>> end =
          agentFixture
              .client(agent.url("/"))
              .sendStreamingMessage(endpoint(agent, V1_0), MESSAGE, slow, AgentCallOptions.NONE);

      for (int i = 1; i <= 3; i++) {
        CompletableFuture<Void> turn = turns.take();
        assertThat(items).hasSize(i);
        assertThat(end).isNotDone();
        turn.complete(null);
      }

      assertThat(end.join())
          .isEqualTo(AgentOutcome.success(new StreamEnd(3, A2aTaskState.COMPLETED)));
      assertThat(items)
          .extracting(AgentItem::state)
          .containsExactly(A2aTaskState.SUBMITTED, A2aTaskState.WORKING, A2aTaskState.COMPLETED);
    }
  }

  @Test
  void aFailingListenerClosesTheStream() throws IOException {
    Script script =
        peer -> {
          send(peer, peer.request(), result(status(V1_0, A2aTaskState.WORKING, false)));
          peer.waitForEnd();
        };
    try (StubServer agent = new StubServer(script)) {
      assertThat(
              agentFixture
                  .client(agent.url("/"))
                  .subscribeToTask(
                      endpoint(agent, V1_0),
                      BY_ID,
                      _ -> CompletableFuture.failedFuture(new IllegalStateException("secret")),
                      AgentCallOptions.NONE)
                  .join())
          .isEqualTo(AgentOutcome.failed(new InternalError("the log has the error")));
      await().until(() -> agent.open() == 0);
    }
  }

  @Test
  void cancellingClosesTheStream() throws IOException {
    Script script =
        peer -> {
          send(peer, peer.request(), result(status(V1_0, A2aTaskState.WORKING, false)));
          peer.waitForEnd();
        };
    try (StubServer agent = new StubServer(script)) {
      CompletableFuture<AgentOutcome<StreamEnd>> end =
          agentFixture
              .client(agent.url("/"))
              .sendStreamingMessage(
                  endpoint(agent, V1_0), MESSAGE, this::take, agentFixture.noting());
      await().until(() -> items.size() == 1);

      end.cancel(false);

      await().until(() -> agent.open() == 0);
      assertThat(agent.accepted()).isEqualTo(1);
      assertThat(agentFixture.attempts).isEmpty();
    }
  }

  @Test
  void aSubscriptionIsRepeatedUntilAnItemArrives() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    String completed = status(V1_0, A2aTaskState.COMPLETED, false);
    Script script =
        peer -> {
          if (requests.incrementAndGet() == 1) {
            answering(503, "", "busy").run(peer);
          } else {
            streaming(completed).run(peer);
          }
        };

    assertThat(subscribed(V1_0, script))
        .isEqualTo(AgentOutcome.success(new StreamEnd(1, A2aTaskState.COMPLETED)));
    assertThat(agentFixture.pauses()).containsExactly(100L);
  }

  /** Would overflow the stack if each item were delivered within the call for the one before. */
  @Test
  void manyItemsMayWaitForTheFirst() throws Exception {
    int working = 400;
    String[] all = new String[working + 1];
    Arrays.fill(all, artifact(V1_0, "t1"));
    all[working] = status(V1_0, A2aTaskState.COMPLETED, false);
    CompletableFuture<Void> firstTurn = new CompletableFuture<>();
    try (StubServer agent = new StubServer(streaming(all))) {
      CompletableFuture<AgentOutcome<StreamEnd>> end =
          agentFixture
              .client(agent.url("/"))
              .sendStreamingMessage(
                  endpoint(agent, V1_0),
                  MESSAGE,
                  item -> {
                    items.add(item);
                    return firstTurn;
                  },
                  AgentCallOptions.NONE);
      await().until(() -> items.size() == 1);

      firstTurn.complete(null);

      assertThat(end.join())
          .isEqualTo(AgentOutcome.success(new StreamEnd(working + 1, A2aTaskState.COMPLETED)));
      assertThat(items).hasSize(working + 1);
    }
  }

  private CompletableFuture<Void> take(AgentItem item) {
    items.add(item);
    return CompletableFuture.completedFuture(null);
  }

  private AgentOutcome<StreamEnd> sent(A2aVersion version, Script script) throws IOException {
    try (StubServer agent = new StubServer(script)) {
      return agentFixture
          .client(agent.url("/"))
          .sendStreamingMessage(
              endpoint(agent, version), MESSAGE, this::take, agentFixture.noting())
          .join();
    }
  }

  private AgentOutcome<StreamEnd> subscribed(A2aVersion version, Script script) throws IOException {
    try (StubServer agent = StubServer.each(script)) {
      return agentFixture
          .client(agent.url("/"))
          .subscribeToTask(endpoint(agent, version), BY_ID, this::take, agentFixture.noting())
          .join();
    }
  }

  /** An agent that streams the messages and the end of the stream in one piece. */
  private static Script chunked(String... messages) {
    return peer -> {
      String id = peer.request().id();
      String data = "data: " + String.join("\n\ndata: ", messages).replace("ID", id) + "\n\n";
      peer.send(
          "HTTP/1.1 200 OK\r\n%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
              .formatted(StubServer.EVENTS, data.length(), data));
      peer.waitForEnd();
    };
  }

  private static AgentItem item(Kind kind, A2aTaskState state, String json) {
    return new AgentItem(kind, "t1", "c1", state, json, json);
  }

  /** What the only member of an object has. */
  private static String inner(String json) {
    return json.substring(json.indexOf(':') + 1, json.length() - 1);
  }
}
