package gatebook.api.upstream.agent.client;

import static gatebook.api.dialect.A2aVersion.V1_0;
import static gatebook.api.upstream.agent.client.AgentFixture.BY_ID;
import static gatebook.api.upstream.agent.client.AgentFixture.MESSAGE;
import static gatebook.api.upstream.agent.client.AgentFixture.SHORT_MILLIS;
import static gatebook.api.upstream.agent.client.AgentFixture.answer;
import static gatebook.api.upstream.agent.client.AgentFixture.answering;
import static gatebook.api.upstream.agent.client.AgentFixture.endpoint;
import static gatebook.api.upstream.agent.client.AgentFixture.error;
import static gatebook.api.upstream.agent.client.AgentFixture.result;
import static gatebook.api.upstream.agent.client.AgentFixture.task;
import static gatebook.api.upstream.source.StubServer.JSON;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aTaskState;
import gatebook.api.upstream.agent.client.AgentFailure.ConnectionRefused;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.InvalidResponse;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Retries over HTTP; {@link RetriedRequestTest} has the rules one by one. */
class AgentRetriesTest {

  private final AgentFixture agentFixture = new AgentFixture();

  @AfterEach
  void close() {
    agentFixture.close();
  }

  /** A request of the client, whose result does not matter here. */
  enum Call {
    GET((client, at, options) -> client.getTask(at, BY_ID, options)),
    LIST((client, at, options) -> client.listTasks(at, "{}", options)),
    CANCEL((client, at, options) -> client.cancelTask(at, BY_ID, options)),
    CARD((client, _, options) -> client.fetchCard(options)),
    SUBSCRIBE(
        (client, at, options) -> client.subscribeToTask(at, BY_ID, AgentFixture.IGNORING, options)),
    SEND((client, at, options) -> client.sendMessage(at, MESSAGE, SendMode.BLOCKING, options)),
    STREAM((client, at, options) ->
        client.sendStreamingMessage(at, MESSAGE, AgentFixture.IGNORING, options));

    @SuppressWarnings("ImmutableEnumChecker") // the functions keep no state
    private final Sending sending;

    Call(Sending sending) {
      this.sending = sending;
    }

    private AgentOutcome<?> outcome(AgentClient client, URI url, AgentCallOptions options) {
      return sending.send(client, new AgentEndpoint(url, V1_0, null), options).join();
    }
  }

  private interface Sending {
    CompletableFuture<? extends AgentOutcome<?>> send(
        AgentClient client, AgentEndpoint at, AgentCallOptions options);
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"GET", "LIST", "CANCEL", "CARD", "SUBSCRIBE"})
  void whatIsSafeIsRepeatedThreeTimes(Call call) throws IOException {
    try (StubServer agent = StubServer.each(answering(503, "", "busy"))) {
      assertThat(call.outcome(client(agent), agent.url("/"), agentFixture.noting()))
          .isEqualTo(AgentOutcome.failed(new HttpError(503, null)));
      assertThat(agent.requests).hasSize(4);
    }
    assertThat(agentFixture.attempts)
        .containsExactly(
            new Attempt(1, Attempt.Result.TRANSIENT, new HttpError(503, null), 100L),
            new Attempt(2, Attempt.Result.TRANSIENT, new HttpError(503, null), 200L),
            new Attempt(3, Attempt.Result.TRANSIENT, new HttpError(503, null), 400L),
            new Attempt(4, Attempt.Result.TRANSIENT, new HttpError(503, null), null));
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"SEND", "STREAM"})
  void aMessageThatWasWrittenIsNotRepeated(Call call) throws IOException {
    try (StubServer agent = StubServer.each(answering(503, "", "busy"))) {
      assertThat(call.outcome(client(agent), agent.url("/"), agentFixture.noting()))
          .isEqualTo(AgentOutcome.failed(new HttpError(503, null)));
      assertThat(agent.requests).hasSize(1);
    }
    assertThat(agentFixture.attempts)
        .containsExactly(new Attempt(1, Attempt.Result.TRANSIENT, new HttpError(503, null), null));
  }

  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"SEND", "STREAM"})
  void aMessageWhoseConnectionIsClosedIsNotRepeated(Call call) throws IOException {
    try (StubServer agent = new StubServer(peer -> peer.request())) {
      assertThat(call.outcome(client(agent), agent.url("/"), agentFixture.noting()))
          .isEqualTo(AgentOutcome.invalid("the connection was closed before an answer"));
      assertThat(agent.requests).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Call.class)
  void everyRequestIsRepeatedWhileNothingListens(Call call) throws IOException {
    try (Socket silent = new Socket()) { // reserves the port without listening
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI url = URI.create("http://127.0.0.1:" + silent.getLocalPort());

      assertThat(call.outcome(agentFixture.client(url), url, agentFixture.noting()))
          .isEqualTo(AgentOutcome.failed(new ConnectionRefused("connection refused")));
    }
    assertThat(agentFixture.pauses()).containsExactly(100L, 200L, 400L);
  }

  @ParameterizedTest
  @CsvSource({"502, ''", "503, ''", "504, ''", "429, 'Retry-After: 0\r\n'"})
  void aRepeatedRequestMaySucceed(int status, String headers) throws IOException {
    String task = task(V1_0, "t1", A2aTaskState.WORKING);
    AtomicInteger requests = new AtomicInteger();
    Script script =
        peer -> {
          boolean first = requests.incrementAndGet() == 1;
          String body = first ? error(-32_603, "busy") : result(task);
          answer(peer, peer.request(), first ? status : 200, headers + JSON, body);
        };
    try (StubServer agent = StubServer.each(script)) {
      assertThat(taskOf(agent)).isInstanceOf(AgentOutcome.Success.class);
      assertThat(agent.requests).extracting(StubServer.Request::id).doesNotHaveDuplicates();
    }
    assertThat(agentFixture.attempts).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 4, '[2000, 2000, 2000]'",
    "3, 1, '[]'",
    "'Thu, 01 Jan 1970 00:00:02 GMT', 4, '[2000, 2000, 2000]'",
    "'Thu, 01 Jan 1970 00:00:03 GMT', 1, '[]'",
    "soon, 1, '[]'"
  })
  void anAgentMayAskForALaterRequest(String retryAfter, int requests, String pauses)
      throws IOException {
    try (StubServer agent =
        StubServer.each(answering(429, "Retry-After: %s\r\n".formatted(retryAfter), ""))) {
      assertThat(taskOf(agent)).isInstanceOf(AgentOutcome.Failed.class);
      assertThat(agent.requests).hasSize(requests);
    }
    assertThat(agentFixture.pauses()).hasToString(pauses);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 408, 409, 425, 500, 501, 505})
  void anotherStatusIsNotRepeated(int status) throws IOException {
    try (StubServer agent = StubServer.each(answering(status, "", ""))) {
      assertThat(taskOf(agent)).isInstanceOf(AgentOutcome.Failed.class);
      assertThat(agent.requests).hasSize(1);
    }
    assertThat(agentFixture.attempts)
        .extracting(Attempt::result)
        .containsExactly(Attempt.Result.PERMANENT);
  }

  @Test
  void aRequestHasItsTimeoutInAll() throws IOException {
    try (StubServer agent = new StubServer(AgentFixture::hang)) {
      assertThat(
              agentFixture
                  .client(agent.url("/"), AgentFixture.impatient())
                  .getTask(endpoint(agent, V1_0), BY_ID, agentFixture.noting())
                  .join())
          .isEqualTo(AgentOutcome.failed(new Timeout(SHORT_MILLIS)));
    }
    assertThat(agentFixture.attempts)
        .containsExactly(new Attempt(1, Attempt.Result.TRANSIENT, new Timeout(SHORT_MILLIS), null));
  }

  @Test
  void aRequestWhoseConnectionIsClosedIsRepeated() throws IOException {
    AgentFailure closed = new InvalidResponse("the connection was closed before an answer");
    try (StubServer agent = new StubServer(peer -> peer.request())) {
      assertThat(taskOf(agent)).isEqualTo(AgentOutcome.failed(closed));
      assertThat(agent.requests).hasSize(4);
    }
    assertThat(agentFixture.attempts)
        .first()
        .isEqualTo(new Attempt(1, Attempt.Result.TRANSIENT, closed, 100L));
  }

  @Test
  void aConnectionThatIsNotAcceptedInTimeIsRefused() throws IOException {
    List<SocketChannel> filling = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 8; i++) { // no connection is accepted, so the backlog fills up
        SocketChannel channel = SocketChannel.open();
        channel.configureBlocking(false);
        channel.connect(full.getLocalSocketAddress());
        filling.add(channel);
      }
      URI url = URI.create("http://127.0.0.1:" + full.getLocalPort());

      assertThat(
              Call.SEND.outcome(
                  agentFixture.client(url, AgentFixture.limits("connectMillisMax", SHORT_MILLIS)),
                  url,
                  agentFixture.noting()))
          .isEqualTo(AgentOutcome.failed(new ConnectionRefused("no connection in time")));
    } finally {
      for (SocketChannel channel : filling) {
        channel.close();
      }
    }
    assertThat(agentFixture.attempts).hasSize(4);
  }

  private AgentOutcome<AgentItem> taskOf(StubServer agent) {
    return client(agent).getTask(endpoint(agent, V1_0), BY_ID, agentFixture.noting()).join();
  }

  private AgentClient client(StubServer agent) {
    return agentFixture.client(agent.url("/"));
  }
}
