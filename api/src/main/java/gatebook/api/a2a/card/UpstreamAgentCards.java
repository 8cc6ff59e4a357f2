package gatebook.api.a2a.card;

import gatebook.api.a2a.card.AgentCards.Shape;
import gatebook.api.a2a.message.A2aCall;
import gatebook.api.a2a.message.A2aEndpoint;
import gatebook.api.a2a.upstream.UpstreamAgents;
import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.upstream.agent.AgentUpstream;
import gatebook.api.upstream.agent.client.AgentCard;
import gatebook.api.upstream.agent.client.AgentFailure;
import gatebook.api.upstream.agent.client.AgentFailure.HttpError;
import gatebook.api.upstream.agent.client.AgentFailure.Timeout;
import gatebook.api.upstream.agent.client.AgentOutcome;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.command.gate.SourceFamily;
import gatebook.command.gate.VisibilityGate;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
import gatebook.command.rules.Source;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Serves the cards of agents upstream, each with its addresses here and the skills that show. */
final class UpstreamAgentCards {
  private static final int BAD_GATEWAY = 502;
  private static final int SERVICE_UNAVAILABLE = 503;
  private static final int GATEWAY_TIMEOUT = 504;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Supplier<RoutingSnapshot> routingSnapshots;

  /** {@code routingSnapshots} are the rules and upstreams of now. */
  UpstreamAgentCards(Supplier<RoutingSnapshot> routingSnapshots) {
    this.routingSnapshots = routingSnapshots;
  }

  /**
   * The card of the agent of an endpoint.
   *
   * @param baseUrl the URL of this server, without a slash at its end
   */
  CompletableFuture<CardLookup> of(A2aEndpoint endpoint, Shape shape, String baseUrl) {
    RoutingSnapshot routingSnapshot = routingSnapshots.get();
    return Optional.ofNullable(endpoint.agent())
        .filter(_ -> endpoint.isServed())
        .flatMap(agent -> A2aCall.source(agent, routingSnapshot.rules()))
        .map(source -> of(source, routingSnapshot, shape, baseUrl))
        .orElseGet(() -> CompletableFuture.completedFuture(new CardLookup.Unknown()));
  }

  private static CompletableFuture<CardLookup> of(
      Source source, RoutingSnapshot routingSnapshot, Shape shape, String baseUrl) {
    return routingSnapshot.upstream(source) instanceof AgentUpstream agent
        ? agent.card().thenApply(outcome -> of(outcome, source, routingSnapshot, shape, baseUrl))
        : CompletableFuture.completedFuture(new CardLookup.Unknown());
  }

  private static CardLookup of(
      AgentOutcome<AgentCard> outcome,
      Source source,
      RoutingSnapshot routingSnapshot,
      Shape shape,
      String baseUrl) {
    return switch (outcome) {
      case Success<AgentCard>(var card) ->
          new CardLookup.Served(
              ServedCard.of(
                  new UpstreamCardJson(card, source)
                      .text(
                          new AgentAddress(baseUrl, source.id()),
                          shape,
                          !routingSnapshot.rules().principals().isEmpty(),
                          skillId -> isShown(source, skillId, routingSnapshot)),
                  true));
      case Failed<AgentCard>(var failure) -> new CardLookup.Unreachable(httpStatus(failure));
    };
  }

  private static boolean isShown(Source source, String skillId, RoutingSnapshot routingSnapshot) {
    return VisibilityGate.evaluate(
            UpstreamAgents.skill(source.id(), skillId),
            SourceFamily.AGENTS,
            routingSnapshot.rules())
        instanceof VisibilityResult.Shown;
  }

  private static int httpStatus(AgentFailure failure) {
    return switch (failure) {
      case Timeout _ -> GATEWAY_TIMEOUT;
      case HttpError(int status, _)
          when status == SERVICE_UNAVAILABLE || status == TOO_MANY_REQUESTS ->
          SERVICE_UNAVAILABLE;
      case HttpError(int status, _) when status == GATEWAY_TIMEOUT -> GATEWAY_TIMEOUT;
      case AgentFailure _ -> BAD_GATEWAY;
    };
  }
}
