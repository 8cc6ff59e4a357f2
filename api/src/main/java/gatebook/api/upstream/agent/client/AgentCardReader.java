package gatebook.api.upstream.agent.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gatebook.api.upstream.agent.client.AgentCard.Capabilities;
import gatebook.api.upstream.agent.client.AgentCard.Interface;
import gatebook.api.upstream.agent.client.AgentCard.Skill;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the cards of agents. */
final class AgentCardReader {

  /** What a card without a version speaks. */
  private static final String OLD_VERSION = "0.3";

  private static final String DEFAULT_BINDING = "JSONRPC";

  private final JsonMapper json;

  AgentCardReader(int depthMax) {
    JsonFactory factory =
        JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxNestingDepth(depthMax).build())
            .build();
    this.json =
        JsonMapper.builder(factory).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  }

  AgentOutcome<AgentCard> read(byte[] body) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      JsonNode card = json.readTree(text);
      return card.path("name").isTextual()
          ? AgentOutcome.success(card(card, text))
          : AgentOutcome.invalid("the card has no name");
    } catch (CharacterCodingException | JsonProcessingException _) {
      return AgentOutcome.invalid("the card is not JSON as it should be");
    }
  }

  private static AgentCard card(JsonNode card, String text) {
    return new AgentCard(
        card.path("name").asText(),
        text(card, "description"),
        text(card, "version"),
        Stream.concat(newInterfaces(card), oldInterfaces(card)).toList(),
        capabilities(card),
        elements(card, "skills").flatMap(skill -> skill(skill).stream()).toList(),
        text);
  }

  private static Capabilities capabilities(JsonNode card) {
    JsonNode capabilities = card.path("capabilities");
    return new Capabilities(
        isTrue(capabilities, "streaming"),
        isTrue(capabilities, "pushNotifications"),
        isTrue(capabilities, "extendedAgentCard")
            || isTrue(card, "supportsAuthenticatedExtendedCard"));
  }

  private static Optional<Skill> skill(JsonNode skill) {
    List<String> tags =
        elements(skill, "tags").filter(JsonNode::isTextual).map(JsonNode::textValue).toList();
    return Optional.ofNullable(skill.path("id").textValue())
        .map(id -> new Skill(id, text(skill, "name"), text(skill, "description"), tags));
  }

  private static Stream<Interface> newInterfaces(JsonNode card) {
    return elements(card, "supportedInterfaces")
        .flatMap(each ->
            at(
                each,
                text(each, "protocolBinding"),
                text(each, "protocolVersion"),
                each.path("tenant").textValue())
                .stream());
  }

  private static Stream<Interface> oldInterfaces(JsonNode card) {
    String version = card.path("protocolVersion").asText(OLD_VERSION);
    Optional<Interface> main =
        at(card, card.path("preferredTransport").asText(DEFAULT_BINDING), version, null);
    return Stream.concat(
        main.stream(),
        elements(card, "additionalInterfaces")
            .flatMap(each -> at(each, text(each, "transport"), version, null).stream()));
  }

  private static Optional<Interface> at(
      JsonNode holder, String binding, String version, @Nullable String tenant) {
    return url(text(holder, "url")).map(url -> new Interface(url, binding, version, tenant));
  }

  private static Optional<URI> url(String text) {
    try {
      URI url = new URI(text);
      boolean usable = url.getHost() != null && url.getScheme() != null;
      return usable ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException _) {
      return Optional.empty();
    }
  }

  private static Stream<JsonNode> elements(JsonNode holder, String name) {
    JsonNode array = holder.path(name);
    return array.isArray() ? array.valueStream() : Stream.empty();
  }

  private static boolean isTrue(JsonNode holder, String name) {
    return holder.path(name).booleanValue();
  }

  private static String text(JsonNode holder, String name) {
    return holder.path(name).asText("");
  }
}
