package gatebook.api.a2a;

import static gatebook.api.rpc.JsonStrings.quoted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import gatebook.api.a2a.AgentSkills.Skill;
import gatebook.api.a2a.AgentSkills.SkillList;
import gatebook.api.dialect.A2aVersion;
import gatebook.api.gateway.RoutingSnapshot;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Writes the cards of agents: what each is, where it is, and what it can do. A card says only what
 * everybody may know, and only of what is there.
 */
public final class AgentCards {
  private static final String NAME = "Gatebook";
  private static final String DESCRIPTION =
      "The tools behind a gateway, each as a skill: a message names it as skillId in its metadata,"
          + " and has its arguments in a data part. No skill can be used yet.";
  private static final String INCOMPLETE =
      " Some skills are missing: they could not be listed now.";
  private static final String INPUT_MODES = "[\"application/json\"]";
  private static final String OUTPUT_MODES = "[\"application/json\",\"text/plain\"]";
  private static final String PATH = "/a2a/";
  private static final String BINDING = "JSONRPC";

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

  /** {@code version} is that of Gatebook, as sent to clients. */
  public AgentCards(
      AgentSkills agentSkills, Supplier<RoutingSnapshot> routingSnapshots, String version) {
    this.agentSkills = agentSkills;
    this.routingSnapshots = routingSnapshots;
    this.version = version;
  }

  /** The shape of a card. */
  public enum Shape {
    /** Valid in version 1.0 only. */
    V1,
    /** Valid in both versions. */
    BOTH
  }

  /**
   * The card of the agent of an endpoint; empty when there is none.
   *
   * @param baseUrl the URL of this server, without a slash at its end
   */
  public CompletableFuture<Optional<ServedCard>> of(
      A2aEndpoint endpoint, Shape shape, String baseUrl) {
    return endpoint.agent() != null || !endpoint.isServed()
        ? CompletableFuture.completedFuture(Optional.empty())
        : agentSkills
            .of(endpoint.agent())
            .thenApply(skills ->
                Optional.of(
                    ServedCard.of(
                        json(skills, shape, baseUrl).getBytes(UTF_8), skills.isComplete())));
  }

  private String json(SkillList skills, Shape shape, String baseUrl) {
    boolean hasPrincipals = !routingSnapshots.get().rules().principals().isEmpty();
    String description = skills.isComplete() ? DESCRIPTION : DESCRIPTION + INCOMPLETE;
    return """
    {"name":%s,"description":%s,"version":%s,%s"supportedInterfaces":%s,\
    "capabilities":{"streaming":%b,"pushNotifications":%b,"extendedAgentCard":%b},%s\
    "defaultInputModes":%s,"defaultOutputModes":%s,"skills":%s}\
    """
        .formatted(
            quoted(NAME),
            quoted(description),
            quoted(version),
            shape == Shape.BOTH ? placeInV03(baseUrl) : "",
            interfaces(baseUrl),
            A2aCapabilities.STREAMING,
            A2aCapabilities.PUSH_NOTIFICATIONS,
            A2aCapabilities.EXTENDED_CARD,
            hasPrincipals ? security(shape) : "",
            INPUT_MODES,
            OUTPUT_MODES,
            skills.skills().stream().map(AgentCards::skill).collect(joining(",", "[", "]")));
  }

  private static String placeInV03(String baseUrl) {
    String url = quoted(url(baseUrl, A2aVersion.V0_3));
    return """
    "protocolVersion":"0.3.0","url":%1$s,"preferredTransport":"%2$s",\
    "additionalInterfaces":[{"url":%1$s,"transport":"%2$s"}],\
    "supportsAuthenticatedExtendedCard":%3$b,\
    """
        .formatted(url, BINDING, A2aCapabilities.EXTENDED_CARD);
  }

  private static String interfaces(String baseUrl) {
    return List.of(A2aVersion.V1_0, A2aVersion.V0_3).stream()
        .map(version ->
            """
            {"url":%s,"protocolBinding":"%s","protocolVersion":"%s"}\
            """
                .formatted(quoted(url(baseUrl, version)), BINDING, version.text()))
        .collect(joining(",", "[", "]"));
  }

  private static String url(String baseUrl, A2aVersion version) {
    return baseUrl + PATH + version.segment();
  }

  private static String security(Shape shape) {
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
