package gatebook.api.a2a.card;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gatebook.api.a2a.card.AgentCards.Shape;
import gatebook.api.a2a.message.A2aCapabilities;
import gatebook.api.upstream.agent.client.AgentCard;
import gatebook.command.rules.Source;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * The JSON of an agent's card as it is served: what the agent says of itself and its skills, with
 * its addresses here and what is supported here. All else is left out, such as signatures, which
 * the change would break, and addresses at the agent's own host.
 */
final class UpstreamCardJson {
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> ABOUT_THE_AGENT = List.of("name", "description", "version");
  private static final List<String> ADDRESSES = List.of("documentationUrl", "iconUrl");
  private static final List<String> MODES = List.of("defaultInputModes", "defaultOutputModes");
  private static final List<String> ABOUT_A_SKILL = List.of("id", "name", "description");
  private static final List<String> LISTS_OF_A_SKILL =
      List.of("examples", "inputModes", "outputModes");
  private static final String TAGS = "tags";

  private final JsonNode card;
  private final boolean hasStreams;
  private final Source source;

  UpstreamCardJson(AgentCard agentCard, Source source) {
    this.card = read(agentCard.json());
    this.hasStreams = agentCard.capabilities().streaming();
    this.source = source;
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the text was read as JSON before", e);
    }
  }

  /** The card's text, in UTF-8. */
  byte[] text(
      AgentAddress address, Shape shape, boolean hasPrincipals, Predicate<String> shownSkills) {
    ObjectNode served = JSON.createObjectNode();
    ABOUT_THE_AGENT.forEach(name -> served.put(name, card.path(name).asText("")));
    if (card.path("provider").isObject()) {
      served.set("provider", provider());
    }
    ADDRESSES.forEach(name -> copyAddress(card, name, served));
    addAll(
        served,
        """
        {%s%s"supportedInterfaces":%s,"capabilities":%s}\
        """
            .formatted(
                shape == Shape.BOTH ? address.inV03() : "",
                hasPrincipals ? AgentCards.security(shape) : "",
                address.interfaces(),
                A2aCapabilities.json(hasStreams && A2aCapabilities.STREAMING)));
    MODES.forEach(name -> served.set(name, modes(name)));
    served.set("skills", skills(shownSkills));
    return served.toString().getBytes(UTF_8);
  }

  private static void addAll(ObjectNode served, String json) {
    read(json).properties().forEach(member -> served.set(member.getKey(), member.getValue()));
  }

  private ObjectNode provider() {
    ObjectNode provider = JSON.createObjectNode();
    provider.put("organization", card.path("provider").path("organization").asText(""));
    copyAddress(card.path("provider"), "url", provider);
    return provider;
  }

  private void copyAddress(JsonNode from, String name, ObjectNode to) {
    String address = from.path(name).asText("");
    if (isElsewhere(address)) {
      to.put(name, address);
    }
  }

  /** Whether an address is not at the agent's own host, which callers do not reach. */
  private boolean isElsewhere(String address) {
    try {
      String host = new URI(address).getHost();
      URI agentUrl = Objects.requireNonNull(source.url(), "an agent has a URL");
      return host != null && !host.equalsIgnoreCase(agentUrl.getHost());
    } catch (URISyntaxException _) {
      return false;
    }
  }

  private ArrayNode modes(String name) {
    ArrayNode modes = texts(card.path(name));
    return modes.isEmpty() ? modes.add("text/plain") : modes;
  }

  private ArrayNode skills(Predicate<String> shownSkills) {
    ArrayNode skills = JSON.createArrayNode();
    for (JsonNode skill : card.path("skills")) {
      String id = skill.path("id").textValue();
      if (id != null && shownSkills.test(id)) {
        skills.add(skill(skill));
      }
    }
    return skills;
  }

  private static ObjectNode skill(JsonNode skill) {
    ObjectNode served = JSON.createObjectNode();
    ABOUT_A_SKILL.forEach(name -> served.put(name, skill.path(name).asText("")));
    served.set(TAGS, texts(skill.path(TAGS)));
    LISTS_OF_A_SKILL.stream()
        .filter(name -> skill.path(name).isArray())
        .forEach(name -> served.set(name, texts(skill.path(name))));
    return served;
  }

  private static ArrayNode texts(JsonNode array) {
    ArrayNode texts = JSON.createArrayNode();
    array.valueStream().filter(JsonNode::isTextual).forEach(texts::add);
    return texts;
  }
}
