package gatebook.api.node.a2a;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.http.ListenAddress;
import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.http.RawHttp.Answer;
import gatebook.api.node.WatchedNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cards of agents over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AgentCardsOverHttpTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String CARD = "/.well-known/agent-card.json";

  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    started =
        WatchedNode.start(
            folder,
            """
            schema: 1
            sources:
              - id: demo
                kind: demo
                expose: {mode: blocklist, tools: [echo]}
            governance: {defaults: {action: deny}}
            principals:
              - {name: ci, token_hash: "sha256:%s"}
            """
                .formatted("0".repeat(64)));
  }

  @AfterAll
  void stop() {
    Objects.requireNonNull(started).close();
  }

  @ParameterizedTest
  @CsvSource({
    "/.well-known/agent-card.json,,1.0",
    "/.well-known/agent.json,,both",
    "/.well-known/agent.json,'',both",
    "/.well-known/agent-card.json,0.3,both",
    "/.well-known/agent-card.json,7.0,1.0",
    "/.well-known/agent-card.json,1.0,1.0",
    "/.well-known/agent.json?A2A-Version=1.0,,1.0",
    "/a2a/.well-known/agent-card.json,,1.0",
    "/a2a/.well-known/agent.json,,both",
    "/a2a/.well-known/agent.json,1.0,1.0",
    "/a2a/v0.3/.well-known/agent-card.json,,both",
    "/a2a/v0.3/.well-known/agent.json,1.0,1.0",
    "/a2a/v1/.well-known/agent-card.json,,1.0",
    "/a2a/v1/.well-known/agent.json,1.0,1.0",
    "/a2a/v1/.well-known/agent.json,0.3,both"
  })
  void cardHasTheShapeOfTheVersion(String path, @Nullable String version, String shape)
      throws IOException {
    Answer answer = version == null ? get(path) : get(path, "A2A-Version: " + version);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.headers())
        .contains(
            "content-type: application/json",
            "cache-control: max-age=60",
            "vary: a2a-version, forwarded, x-forwarded-proto");
    JsonNode card = JSON.readTree(answer.body());
    assertThat(card.has("protocolVersion")).isEqualTo(shape.equals("both"));
    assertThat(card.at("/supportedInterfaces/0/url").asText())
        .isEqualTo("http://localhost:%d/a2a/v1".formatted(at().port()));
    assertThat(card.at("/supportedInterfaces/1/url").asText())
        .isEqualTo("http://localhost:%d/a2a/v0.3".formatted(at().port()));
  }

  /** The schema of version 1.0 allows no other members. */
  @ParameterizedTest
  @ValueSource(strings = {"", "/a2a"})
  void cardWithoutAVersionHasOnlyMembersOf10(String path) throws IOException {
    JsonNode card = JSON.readTree(get(path + CARD).body());

    assertThat(names(card))
        .containsExactlyInAnyOrder(
            "name",
            "description",
            "version",
            "supportedInterfaces",
            "capabilities",
            "securitySchemes",
            "securityRequirements",
            "defaultInputModes",
            "defaultOutputModes",
            "skills");
    assertThat(names(card.at("/securitySchemes/bearer"))).containsExactly("httpAuthSecurityScheme");
  }

  private static List<String> names(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  @Test
  void interfacesOfTheCardSpeakTheirVersions() throws IOException {
    JsonNode card = JSON.readTree(get(CARD).body());

    for (JsonNode place : card.get("supportedInterfaces")) {
      String path = place.get("url").asText().replaceFirst("http://localhost:\\d+", "");
      JsonNode answer =
          Objects.requireNonNull(started).call(Port.CALLERS, path + "/", "no/such", "{}");
      assertThat(answer.at("/error/data").isArray())
          .isEqualTo(place.get("protocolVersion").asText().equals("1.0"));
    }
  }

  @Test
  void skillsAreTheToolsThatEverybodySees() throws IOException {
    JsonNode card = JSON.readTree(get(CARD).body());

    assertThat(card.get("skills").findValuesAsText("id")).isNotEmpty().doesNotContain("echo");
    assertThat(card.get("skills"))
        .allSatisfy(skill -> {
          assertThat(skill.get("name").asText()).isNotBlank();
          assertThat(skill.get("description").asText()).isNotBlank();
          assertThat(skill.get("tags").isArray()).isTrue();
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "W/%s", "\"x\", %s", "*"})
  void knownCardIsNotSentAgain(String ifNoneMatch) throws IOException {
    String etag = header("etag: ", get(CARD));

    Answer answer = get(CARD, "If-None-Match: " + ifNoneMatch.formatted(etag));

    assertThat(answer.status() + answer.body()).isEqualTo("304");
    assertThat(answer.headers()).contains("etag: " + etag, "cache-control: max-age=60");
  }

  @Test
  void otherCardIsSent() throws IOException {
    String etag = header("etag: ", get(CARD));

    Answer answer = get(CARD, "A2A-Version: 0.3", "If-None-Match: " + etag);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(header("etag: ", answer)).isNotEqualTo(etag);
  }

  @Test
  void tokenMakesNoDifference() throws IOException {
    assertThat(get(CARD, "Authorization: Bearer wrong").body()).isEqualTo(get(CARD).body());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/a2a/demo/.well-known/agent-card.json",
        "/a2a/nobody/v1/.well-known/agent.json",
        "/a2a/v2/.well-known/agent-card.json",
        "/mcp/.well-known/agent-card.json",
        "/.well-known/other.json",
        "/.well-known/agentxjson"
      })
  void otherCardsAreNotFound(String path) throws IOException {
    assertThat(get(path).status()).isEqualTo(404);
  }

  @Test
  void cardIsNotAtTheOperatorsPort() throws IOException {
    assertThat(RawHttp.get(Objects.requireNonNull(started).at(Port.ADMIN), CARD).status())
        .isEqualTo(404);
  }

  @Test
  void foreignHostGetsNoCard() throws IOException {
    assertThat(RawHttp.request(at(), "GET", CARD, "Host: evil.example").status()).isEqualTo(403);
  }

  private static String header(String name, Answer answer) {
    return answer.headers().stream()
        .filter(header -> header.startsWith(name))
        .map(header -> header.substring(name.length()))
        .findFirst()
        .orElseThrow();
  }

  private Answer get(String path, String... headers) throws IOException {
    List<String> all =
        Stream.concat(Stream.of("Host: localhost:" + at().port()), Stream.of(headers)).toList();
    return RawHttp.request(at(), "GET", path, all.toArray(String[]::new));
  }

  private ListenAddress at() {
    return Objects.requireNonNull(started).at(Port.CALLERS);
  }
}
