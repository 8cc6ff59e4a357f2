package gatebook.api.upstream.agent.client;

import static gatebook.api.dialect.A2aVersion.V0_3;
import static gatebook.api.dialect.A2aVersion.V1_0;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.upstream.agent.client.AgentCard.Capabilities;
import gatebook.api.upstream.agent.client.AgentCard.Interface;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentEndpointTest {

  private static final URI AGENT = URI.create("http://agent.example/a2a");

  @Test
  void theNewestVersionIsChosen() {
    AgentCard card =
        card(
            new Interface(AGENT, "JSONRPC", "0.3.0", null),
            new Interface(AGENT, "JSONRPC", "1.0", "blue"),
            new Interface(AGENT, "JSONRPC", "2.0", null));

    assertThat(AgentEndpoint.of(card, AGENT)).contains(new AgentEndpoint(AGENT, V1_0, "blue"));
  }

  @Test
  void anAddressBelowTheAgentsIsPreferred() {
    AgentCard card =
        card(
            new Interface(URI.create("http://other.example/a2a"), "JSONRPC", "1.0", null),
            new Interface(URI.create("http://agent.example/a2a/old"), "JSONRPC", "0.3", null));

    assertThat(AgentEndpoint.of(card, AGENT))
        .contains(new AgentEndpoint(URI.create("http://agent.example/a2a/old"), V0_3, null));
  }

  @ParameterizedTest
  @CsvSource({
    "http://agent.example, http://agent.example/rpc",
    "http://agent.example/, http://AGENT.example:80/rpc?x=1",
    "http://agent.example/a2a, http://agent.example/a2a/v1",
    "https://agent.example/a2a/, https://agent.example:443/a2a/v1/"
  })
  void aCardMayDirectBelowTheAgentsUrl(URI agentUrl, URI url) {
    assertThat(AgentEndpoint.of(card(new Interface(url, "JSONRPC", "1.0", null)), agentUrl))
        .contains(new AgentEndpoint(url, V1_0, null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://other.example/a2a/v1",
        "https://agent.example/a2a/v1",
        "http://agent.example:81/a2a/v1",
        "http://agent.example/other",
        "http://agent.example/a2a-other",
        "http://agent.example/a2a/../other",
        "http://agent.example/a2a/%2e%2e/other",
        "http://agent.example/",
        "http://agent.example/a2a/"
      })
  void aCardCannotDirectElsewhere(URI url) {
    URI withQuery = URI.create("http://agent.example/a2a?key=1");

    assertThat(AgentEndpoint.of(card(new Interface(url, "JSONRPC", "1.0", null)), withQuery))
        .contains(new AgentEndpoint(withQuery, V1_0, null));
  }

  @Test
  void aCardWithoutASpokenVersionHasNoEndpoint() {
    AgentCard card =
        card(
            new Interface(AGENT, "JSONRPC", "2.0", null),
            new Interface(AGENT, "GRPC", "1.0", null));

    assertThat(Stream.of(card, card()).map(each -> AgentEndpoint.of(each, AGENT)))
        .allMatch(endpoint -> endpoint.isEmpty());
  }

  private static AgentCard card(Interface... interfaces) {
    return new AgentCard(
        "a", "", "", List.of(interfaces), new Capabilities(false, false, false), List.of(), "{}");
  }
}
