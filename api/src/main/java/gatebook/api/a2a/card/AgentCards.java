package gatebook.api.a2a.card;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.message.A2aCapabilities;
import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.a2a.upstream.AgentSkills;
import gatebook.api.a2a.upstream.AgentSkills.Skill;
import gatebook.api.a2a.upstream.AgentSkills.SkillList;
import gatebook.api.gateway.message.RoutingSnapshot;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Serves the cards of agents, and writes those of the built-in one. A card has public information
 * only, and names only what exists.
 */
public final class AgentCards {
  private static final String NAME = "Gatebook";
  private static final String DESCRIPTION =
      "The tools behind a gateway, each as a skill: a message names it as skillId in its metadata,"
          + " and has its arguments in a data part.";
  private static final String INCOMPLETE =
      " Some skills are missing: they could not be listed now.";
  private static final String INPUT_MODES = "[\"application/json\"]";
  private static final String OUTPUT_MODES = "[\"application/json\",\"text/plain\"]";

  /** Has the members of both versions, so that each kind of client finds its own. */
  private static final String SCHEME_OF_BOTH =
      """
      {"type":"http","scheme":"bearer","httpAuthSecurityScheme":{"scheme":"Bearer"}}\
      """;

  private static final String SCHEME_OF_V1 =
      """
      {"httpAuthSecurityScheme":{"scheme":"Bearer"}}\
      """;

  private final AgentSkills agentSkills;
  private final Supplier<RoutingSnapshot> routingSnapshots;
  private final String version;
  private final UpstreamAgentCards upstreamAgentCards;

  /** {@code version} is that of Gatebook, as sent to clients. */
  public AgentCards(
      AgentSkills agentSkills, Supplier<RoutingSnapshot> routingSnapshots, String version) {
    this.agentSkills = agentSkills;
    this.routingSnapshots = routingSnapshots;
    this.version = version;
    this.upstreamAgentCards = new UpstreamAgentCards(routingSnapshots);
  }

  /** The shape of a card. */
  public enum Shape {
    /** Valid in version 1.0 only. */
    V1,
    /** Valid in both versions. */
    BOTH
  }

  /**
   * The card of the agent of an endpoint.
   *
   * @param baseUrl the URL of this server, without a slash at its end
   */
  public CompletableFuture<CardLookup> of(A2aEndpoint endpoint, Shape shape, String baseUrl) {
    if (endpoint.agent() != null) {
      return upstreamAgentCards.of(endpoint, shape, baseUrl);
    }
    return endpoint.isServed()
        ? agentSkills
            .ofTools()
            .thenApply(skills ->
                new CardLookup.Served(
                    ServedCard.of(
                        json(skills, shape, baseUrl).getBytes(UTF_8), skills.isComplete())))
        : CompletableFuture.completedFuture(new CardLookup.Unknown());
  }

  private String json(SkillList skills, Shape shape, String baseUrl) {
    AgentAddress address = new AgentAddress(baseUrl, null);
    boolean hasPrincipals = !routingSnapshots.get().rules().principals().isEmpty();
    String description = skills.isComplete() ? DESCRIPTION : DESCRIPTION + INCOMPLETE;
    return """
    {"name":%s,"description":%s,"version":%s,%s"supportedInterfaces":%s,\
    "capabilities":%s,%s\
    "defaultInputModes":%s,"defaultOutputModes":%s,"skills":%s}\
    """
        .formatted(
            quoted(NAME),
            quoted(description),
            quoted(version),
            shape == Shape.BOTH ? address.inV03() : "",
            address.interfaces(),
            A2aCapabilities.json(A2aCapabilities.STREAMING),
            hasPrincipals ? security(shape) : "",
            INPUT_MODES,
            OUTPUT_MODES,
            skills.skills().stream().map(AgentCards::skill).collect(joining(",", "[", "]")));
  }

  static String security(Shape shape) {
    return switch (shape) {
      case BOTH ->
          """
          "securitySchemes":{"bearer":%s},"security":[{"bearer":[]}],\
          "securityRequirements":[{"schemes":{"bearer":{"list":[]}}}],\
          """
              .formatted(SCHEME_OF_BOTH);
      case V1 ->
          """
          "securitySchemes":{"bearer":%s},\
          "securityRequirements":[{"schemes":{"bearer":{"list":[]}}}],\
          """
              .formatted(SCHEME_OF_V1);
    };
  }

  private static String skill(Skill skill) {
    return """
    {"id":%s,"name":%s,"description":%s,"tags":["tool"]}\
    """
        .formatted(quoted(skill.id()), quoted(skill.name()), quoted(skill.description()));
  }
}
