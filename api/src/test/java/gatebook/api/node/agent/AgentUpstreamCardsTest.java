package gatebook.api.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.Port;
import gatebook.api.node.NodeReply;
import gatebook.api.node.a2a.A2aWireVersion;
import gatebook.api.node.a2a.StubAgent;
import gatebook.events.fault.TaskFault.UnknownSkill;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cards of agents upstream, as clients get them and as calls use them. */
final class AgentUpstreamCardsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String WELL_KNOWN = "/.well-known/agent-card.json";
  private static final String SOURCE = "expose: {mode: blocklist, tools: [\"skills/secret\"]}";
  private static final AtomicInteger TESTS = new AtomicInteger();

  @RegisterExtension static final TestAgents AGENTS = new TestAgents();

  private final String id = "card-" + TESTS.incrementAndGet();
  private @Nullable AgentBehindNode started;

  private void start(A2aWireVersion spoken, String limits) throws IOException {
    started = AGENTS.own(spoken, SOURCE, limits);
  }

  private void start(A2aWireVersion spoken) throws IOException {
    start(spoken, AgentBehindNode.LIMITS);
  }

  /** The card may be known from another test. */
  private void startShared(A2aWireVersion spoken) throws IOException {
    started = AGENTS.shared(spoken, SOURCE, AgentBehindNode.LIMITS);
  }

  @ParameterizedTest
  @EnumSource
  void cardHasTheAddressesOfGatebook(A2aWireVersion spoken) throws Exception {
    startShared(spoken);

    HttpResponse<String> response = get("/a2a/planner/v0.3" + WELL_KNOWN);

    String base = started().node().at(Port.CALLERS).url() + "/a2a/planner/";
    assertThat(JSON.readTree(response.body()))
        .isEqualTo(
            JSON.readTree(
                """
                {"name":"planner","description":"","version":"1",\
                "documentationUrl":"http://docs.example",\
                "protocolVersion":"0.3.0","url":"%1$sv0.3","preferredTransport":"JSONRPC",\
                "additionalInterfaces":[{"url":"%1$sv0.3","transport":"JSONRPC"}],\
                "supportsAuthenticatedExtendedCard":false,\
                "supportedInterfaces":[\
                {"url":"%1$sv1","protocolBinding":"JSONRPC","protocolVersion":"1.0"},\
                {"url":"%1$sv0.3","protocolBinding":"JSONRPC","protocolVersion":"0.3"}],\
                "capabilities":{"streaming":true,"pushNotifications":false,\
                "extendedAgentCard":false},\
                "securitySchemes":{"bearer":{"type":"http","scheme":"bearer",\
                "httpAuthSecurityScheme":{"scheme":"Bearer"}}},"security":[{"bearer":[]}],\
                "securityRequirements":[{"schemes":{"bearer":{"list":[]}}}],\
                "defaultInputModes":["text/plain"],"defaultOutputModes":["text/plain"],\
                "skills":[{"id":"route","name":"Route","description":"","tags":[]},\
                {"id":"plan","name":"Plan","description":"","tags":[]}]}\
                """
                    .formatted(base)));
    assertThat(response.body()).doesNotContain(agent().url());
    assertThat(response.headers().allValues("Cache-Control")).containsExactly("max-age=60");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/v0.3", "/v1"})
  void cardIsAtEveryPathAndKnownByItsTag(String version) throws Exception {
    start(A2aWireVersion.V1);
    String path = "/a2a/planner" + version;

    HttpResponse<String> first = get(path + WELL_KNOWN);
    HttpResponse<String> former = get(path + "/.well-known/agent.json");
    String etag = first.headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> again = get(path + WELL_KNOWN, "If-None-Match", etag);

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(JSON.readTree(first.body()).has("url")).isEqualTo(version.equals("/v0.3"));
    assertThat(JSON.readTree(former.body()).has("url")).isEqualTo(!version.equals("/v1"));
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(agent().cards).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a2a/nobody", "/a2a/planner/v2"})
  void pathWithoutAgentHasNoCard(String path) throws Exception {
    start(A2aWireVersion.V1);

    assertThat(get(path + WELL_KNOWN).statusCode()).isEqualTo(404);
    assertThat(agent().cards).hasValue(0);
  }

  @Test
  void agentThatIsUnavailableIsToldAndNothingElse() throws Exception {
    start(A2aWireVersion.V1);
    agent().cardsUnavailable.set(100);

    HttpResponse<String> response = get("/a2a/planner" + WELL_KNOWN);

    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.body())
        .contains("the agent does not send its card now: ask again later")
        .doesNotContain("secret", agent().url(), "planner");
  }

  @Test
  void agentThatIsGoneIsABadGateway() throws Exception {
    start(A2aWireVersion.V1);
    agent().close();

    HttpResponse<String> response = get("/a2a/planner" + WELL_KNOWN);

    assertThat(response.statusCode()).isEqualTo(502);
    assertThat(response.body()).doesNotContain(agent().url(), "planner");
  }

  @ParameterizedTest
  @CsvSource({"V03, SEND", "V1, SEND", "V03, STREAM", "V1, STREAM"})
  void skillThatIsInNoCardIsUnknown(A2aWireVersion version, Sending sending) throws Exception {
    startShared(version);

    JsonNode response =
        call(
            version,
            sending == Sending.SEND ? version.send : version.stream,
            ",\"metadata\":{\"skillId\":\"nothing\"}");

    assertThat(response.at("/error/code").asInt()).isEqualTo(-32_602);
    assertThat(names()).containsExactly("CallReceived", "ErrorTranslated");
    assertThat(started().fault(id)).isEqualTo(new UnknownSkill("nothing"));
    assertThat(agent().requests).isEmpty();
  }

  /** A way of sending a message. */
  enum Sending {
    SEND,
    STREAM
  }

  @ParameterizedTest
  @EnumSource
  void skillOfTheCardIsKnown(A2aWireVersion version) throws Exception {
    startShared(version);

    assertThat(call(version, version.send, ",\"metadata\":{\"skillId\":\"plan\"}").has("result"))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, 2", "3600000, 1"})
  void cardIsRememberedForItsTime(long millis, int cards) throws Exception {
    start(A2aWireVersion.V1, "agent_card_millis_max: " + millis);

    JsonNode _ = call(A2aWireVersion.V1, "SendMessage", "");
    JsonNode _ = call(A2aWireVersion.V1, "SendMessage", "");

    assertThat(agent().cards).hasValue(cards);
  }

  @ParameterizedTest
  @EnumSource
  void attemptsToFetchACardAreThoseOfItsCall(A2aWireVersion version) throws Exception {
    start(version);
    agent().cardsUnavailable.set(2);

    assertThat(call(version, version.send, "").has("result")).isTrue();

    assertThat(AgentBehindNode.attempts(started().node(), id))
        .containsExactly(
            "1 null",
            "2 HttpError: the response has the status 503",
            "3 HttpError: the response has the status 503");
  }

  private HttpResponse<String> get(String path, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(started().node().at(Port.CALLERS).url() + path));
    return started()
        .http()
        .send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            BodyHandlers.ofString());
  }

  private JsonNode call(A2aWireVersion version, String method, String member) throws Exception {
    return NodeReply.response(
        started()
            .post(version, method, version.textMessage("plan", member), AgentBehindNode.JOE, id)
            .body());
  }

  private List<String> names() {
    return started().names(id);
  }

  private StubAgent agent() {
    return started().agent();
  }

  private AgentBehindNode started() {
    return Objects.requireNonNull(started);
  }
}
