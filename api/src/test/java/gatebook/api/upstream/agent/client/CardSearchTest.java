package gatebook.api.upstream.agent.client;

import static gatebook.api.upstream.agent.client.AgentFixture.answer;
import static gatebook.api.upstream.agent.client.AgentFixture.answering;
import static gatebook.api.upstream.source.StubServer.JSON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.AgentUpstream;
import gatebook.api.upstream.agent.AttemptMeter;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.source.StubServer;
import gatebook.api.upstream.source.StubServer.Peer;
import gatebook.api.upstream.source.StubServer.Request;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Source;
import java.io.IOException;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CardSearchTest {

  private static final String CARD =
      """
      {"name":"a","url":"http://agent.example/a2a","protocolVersion":"0.3.0"}\
      """;

  private final AgentFixture agentFixture = new AgentFixture();

  @AfterEach
  void close() {
    agentFixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/agents/a/.well-known/agent-card.json",
        "/agents/a/.well-known/agent.json",
        "/.well-known/agent-card.json",
        "/.well-known/agent.json"
      })
  void theCardIsFoundAtAnyWellKnownPath(String path) throws IOException {
    List<String> paths = CardSearch.paths(URI.create("http://agent.example/agents/a/"));
    try (StubServer agent = StubServer.each(peer -> answerAt(path, peer))) {
      AgentOutcome<AgentCard> outcome =
          agentFixture
              .client(agent.url("/agents/a/?key=1"))
              .fetchCard(AgentCallOptions.NONE)
              .join();

      assertThat(outcome)
          .isInstanceOfSatisfying(
              Success.class,
              success -> assertThat(((AgentCard) success.value()).json()).isEqualTo(CARD));
      assertThat(agent.requests)
          .extracting(CardSearchTest::path)
          .containsExactlyElementsOf(paths.subList(0, paths.indexOf(path) + 1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/"})
  void anAgentAtTheRootHasTwoPaths(String path) {
    assertThat(CardSearch.paths(URI.create("http://agent.example" + path)))
        .containsExactly("/.well-known/agent-card.json", "/.well-known/agent.json");
  }

  @Test
  void aCardRequestHasTheVersionAndHeaders() throws Exception {
    try (StubServer agent = StubServer.each(answering(200, JSON, CARD))) {
      AgentClient client = agentFixture.client(agent.url("/"));

      AgentOutcome<AgentCard> _ = client.fetchCard(AgentCallOptions.NONE).join();

      Request request = agent.requests.take();
      assertThat(request.head()).startsWith("GET /.well-known/agent-card.json HTTP/1.1");
      assertThat(request.header("A2A-Version")).isEqualTo("1.0");
      assertThat(request.header("Authorization")).isEqualTo("Bearer ours");
      assertThat(request.header("Accept")).isEqualTo("application/json");
    }
  }

  @Test
  void theClientChoosesTheEndpointOfItsUrl() throws IOException {
    try (StubServer agent = StubServer.each(answering(200, JSON, CARD))) {
      AgentClient client = agentFixture.client(agent.url("/x"));

      AgentOutcome<AgentCard> outcome = client.fetchCard(AgentCallOptions.NONE).join();

      assertThat(outcome)
          .isInstanceOfSatisfying(
              Success.class,
              success ->
                  assertThat(client.endpoint((AgentCard) success.value()))
                      .contains(new AgentEndpoint(agent.url("/x"), A2aVersion.V0_3, null)));
    }
  }

  @Test
  void noCardAnywhereIsAnHttpError() throws IOException {
    assertThat(cardFrom(answering(404, "", "no"))).isEqualTo(failed(new HttpError(404, null)));
  }

  @Test
  void aRefusalSaysMoreThanAMissingCard() throws IOException {
    assertThat(
            cardFrom(peer -> {
              Request request = peer.request();
              answer(peer, request, path(request).startsWith("/a2a") ? 401 : 404, "", "");
            }))
        .isEqualTo(failed(new HttpError(401, null)));
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void aSearchIsRepeatedAndThenEnds(int status) throws IOException {
    assertThat(cardFrom(answering(status, "", ""))).isEqualTo(failed(new HttpError(status, null)));
    assertThat(agentFixture.pauses()).containsExactly(100L, 200L, 400L);
  }

  @Test
  void aCardMayBeAsLargeAsItsLimit() throws IOException {
    try (StubServer agent = StubServer.each(answering(200, JSON, CARD))) {
      assertThat(limited(agent, CARD.length())).isInstanceOf(Success.class);
      assertThat(limited(agent, CARD.length() - 1))
          .isEqualTo(
              AgentOutcome.invalid(
                  "the card has more than the %d bytes of agent_card_bytes_max"
                      .formatted(CARD.length() - 1)));
    }
  }

  @Test
  void garbageInsteadOfACardIsInvalid() throws IOException {
    assertThat(cardFrom(answering(200, "Content-Type: text/html\r\n", "<html>secret")))
        .isEqualTo(AgentOutcome.invalid("the card is not JSON as it should be"));
  }

  @Test
  void anAgentThatDoesNotAnswerTimesOut() throws IOException {
    try (StubServer agent = new StubServer(AgentFixture::hang)) {
      assertThat(
              agentFixture
                  .client(agent.url("/"), AgentFixture.impatient())
                  .fetchCard(agentFixture.noting())
                  .join())
          .isEqualTo(failed(new Timeout(AgentFixture.SHORT_MILLIS)));
      await().until(() -> agent.open() == 0);
    }
    assertThat(agentFixture.attempts).hasSize(1);
  }

  @Test
  void manyWhoNeedACardFetchItOnce() throws IOException {
    try (StubServer agent = new StubServer(AgentFixture::hang)) {
      AgentUpstream upstream =
          new AgentUpstream(
              new Source(
                  "planner",
                  Source.Kind.A2A,
                  agent.url("/"),
                  "",
                  true,
                  ExposeRules.ALL,
                  Map.of(),
                  Source.ForeignErrors.PASS,
                  1,
                  1),
              agentFixture.client(agent.url("/"), AgentFixture.impatient()),
              InstantSource.system(),
              60_000,
              AttemptMeter.NONE);

      List<CompletableFuture<AgentOutcome<AgentCard>>> cards =
          List.of(upstream.card(), upstream.card(), upstream.card());

      assertThat(cards)
          .allSatisfy(card ->
              assertThat(card.join()).isEqualTo(failed(new Timeout(AgentFixture.SHORT_MILLIS))));
      assertThat(agent.accepted()).isEqualTo(1);
    }
  }

  @Test
  void cancellingClosesTheConnection() throws Exception {
    try (StubServer agent = new StubServer(AgentFixture::hang)) {
      CompletableFuture<AgentOutcome<AgentCard>> card =
          agentFixture.client(agent.url("/")).fetchCard(AgentCallOptions.NONE);
      Request _ = agent.requests.take();

      card.cancel(false);

      await().until(() -> agent.open() == 0);
      assertThat(agent.accepted()).isEqualTo(1);
    }
  }

  private AgentOutcome<AgentCard> limited(StubServer agent, long cardBytesMax) {
    AgentLimits limits = AgentFixture.limits("cardBytesMax", cardBytesMax);
    return agentFixture.client(agent.url("/"), limits).fetchCard(AgentCallOptions.NONE).join();
  }

  private AgentOutcome<AgentCard> cardFrom(StubServer.Script script) throws IOException {
    try (StubServer agent = StubServer.each(script)) {
      return agentFixture.client(agent.url("/a2a")).fetchCard(agentFixture.noting()).join();
    }
  }

  private static void answerAt(String path, Peer peer) throws IOException {
    Request request = peer.request();
    boolean here = path(request).equals(path);
    answer(peer, request, here ? 200 : 404, JSON, here ? CARD : "{}");
  }

  private static String path(Request request) {
    return request.head().split(" ", -1)[1];
  }

  private static AgentOutcome<AgentCard> failed(AgentFailure failure) {
    return AgentOutcome.failed(failure);
  }
}
