package gatebook.api.upstream.agent.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.dialect.A2aVersion;
import gatebook.api.upstream.agent.client.AgentCard.Capabilities;
import gatebook.api.upstream.agent.client.AgentCard.Interface;
import gatebook.api.upstream.agent.client.AgentCard.Skill;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentCardReaderTest {

  private static final URI URL = URI.create("https://agent.example/a2a");

  @Test
  void aNewCardIsRead() {
    String json =
        """
        { "name": "Größe", "description": "d", "version": "7",
          "supportedInterfaces": [
            {"url": "https://agent.example/a2a", "protocolBinding": "JSONRPC",
             "protocolVersion": "1.0", "tenant": "blue"},
            {"url": "https://agent.example/grpc", "protocolBinding": "GRPC",
             "protocolVersion": "1.0"}],
          "capabilities": {"streaming": true, "extendedAgentCard": true},
          "skills": [{"id": "s", "name": "n", "description": "e", "tags": ["a", 1, "b"]}] }
        """;

    assertThat(read(json))
        .isEqualTo(
            new AgentCard(
                "Größe",
                "d",
                "7",
                List.of(
                    new Interface(URL, "JSONRPC", "1.0", "blue"),
                    new Interface(URI.create("https://agent.example/grpc"), "GRPC", "1.0", null)),
                new Capabilities(true, false, true),
                List.of(new Skill("s", "n", "e", List.of("a", "b"))),
                json));
  }

  @Test
  void anOldCardIsRead() {
    String json =
        """
        {"name":"a","url":"https://agent.example/a2a","protocolVersion":"0.3.0",
         "preferredTransport":"GRPC","supportsAuthenticatedExtendedCard":true,
         "additionalInterfaces":[{"url":"https://agent.example/a2a","transport":"JSONRPC"}],
         "capabilities":{"pushNotifications":true}}\
        """;

    assertThat(read(json))
        .isEqualTo(
            new AgentCard(
                "a",
                "",
                "",
                List.of(
                    new Interface(URL, "GRPC", "0.3.0", null),
                    new Interface(URL, "JSONRPC", "0.3.0", null)),
                new Capabilities(false, true, true),
                List.of(),
                json));
  }

  @Test
  void aCardOfBothShapesNamesBothVersions() {
    AgentCard card =
        read(
            """
            {"name":"a","url":"https://agent.example/a2a","protocolVersion":"0.3.0",
             "supportedInterfaces":[{"url":"https://agent.example/a2a",
               "protocolBinding":"JSONRPC","protocolVersion":"1.0"}]}\
            """);

    assertThat(card.interfaces())
        .containsExactly(
            new Interface(URL, "JSONRPC", "1.0", null),
            new Interface(URL, "JSONRPC", "0.3.0", null));
  }

  @ParameterizedTest
  @CsvSource({
    "JSONRPC, 1.0, V1_0",
    "JSONRPC, 1.0.1, V1_0",
    "JSONRPC, 0.3.0, V0_3",
    "JSONRPC, 0.3, V0_3",
    "JSONRPC, 0.2.6, ",
    "JSONRPC, 1.1, ",
    "JSONRPC, '', ",
    "HTTP+JSON, 1.0, "
  })
  void onlyKnownVersionsOverJsonRpcAreSpoken(
      String binding, String version, @Nullable A2aVersion spoken) {
    assertThat(new Interface(URL, binding, version, null).spokenVersion().orElse(null))
        .isEqualTo(spoken);
  }

  @Test
  void anOldCardWithoutVersionIsOfVersion03() {
    assertThat(read("{\"name\":\"a\",\"url\":\"https://agent.example/a2a\"}").interfaces())
        .containsExactly(new Interface(URL, "JSONRPC", "0.3", null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/a2a", "mailto:a", "http://", "https://a b/", "https:///a", "7"})
  void anInterfaceWithoutAnAddressIsLeftOut(String url) {
    String json =
        """
        {"name":"a","url":"%s","supportedInterfaces":[{"url":"%s"},7],"skills":[{"name":"n"},7]}\
        """
            .formatted(url, url);

    assertThat(read(json).interfaces()).isEmpty();
    assertThat(read(json).skills()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "[]", "7", "{\"name\":7}", "{\"name\":null}"})
  void aCardWithoutNameIsInvalid(String json) {
    assertThat(new AgentCardReader(256).read(json.getBytes(UTF_8)))
        .isEqualTo(AgentOutcome.invalid("the card has no name"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html>",
        "{\"name\":\"a\"",
        "{\"name\":\"a\"} {}",
        "{\"name\":\"a\",\"name\":\"b\"}",
        "\uFEFF{\"name\":\"a\"}"
      })
  void aCardThatIsNoProperJsonIsInvalid(String json) {
    assertThat(new AgentCardReader(256).read(json.getBytes(UTF_8)))
        .isEqualTo(AgentOutcome.invalid("the card is not JSON as it should be"));
  }

  @Test
  void aCardThatIsNoUtf8IsInvalid() {
    assertThat(new AgentCardReader(256).read("{\"name\":\"\u00ff\"}".getBytes(ISO_8859_1)))
        .isEqualTo(AgentOutcome.invalid("the card is not JSON as it should be"));
  }

  @Test
  void aCardMayBeAsDeepAsTheLimit() {
    String atLimit = "{\"name\":\"a\",\"x\":%s1%s}".formatted("[".repeat(7), "]".repeat(7));
    String deeper = "{\"name\":\"a\",\"x\":%s1%s}".formatted("[".repeat(8), "]".repeat(8));

    assertThat(new AgentCardReader(8).read(atLimit.getBytes(UTF_8)))
        .isInstanceOf(AgentOutcome.Success.class);
    assertThat(new AgentCardReader(8).read(deeper.getBytes(UTF_8)))
        .isEqualTo(AgentOutcome.invalid("the card is not JSON as it should be"));
  }

  private static AgentCard read(String json) {
    return switch (new AgentCardReader(256).read(json.getBytes(UTF_8))) {
      case AgentOutcome.Success<AgentCard>(var card) -> card;
      case AgentOutcome.Failed<AgentCard>(var failure) -> throw new AssertionError(failure);
    };
  }
}
