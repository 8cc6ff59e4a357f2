package gatebook.api.upstream.agent;

import static gatebook.api.rpc.JsonStrings.quoted;

import gatebook.api.upstream.Retries.BeforeAttempt;
import gatebook.api.upstream.Upstream;
import gatebook.api.upstream.agent.client.AgentCallOptions;
import gatebook.api.upstream.agent.client.AgentCard;
import gatebook.api.upstream.agent.client.AgentClient;
import gatebook.api.upstream.agent.client.AgentOutcome;
import gatebook.api.upstream.agent.client.AgentOutcome.Failed;
import gatebook.api.upstream.agent.client.AgentOutcome.Success;
import gatebook.api.upstream.agent.client.AttemptListener;
import gatebook.command.rules.Source;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The upstream of an agent. Its card is fetched when it is first needed and remembered for some
 * time; it says which version the agent speaks. Callers may speak the other one.
 */
public final class AgentUpstream implements Upstream.Defined {

  private final Source definition;
  private final AgentFaults faults;
  private final AgentClient agentClient;
  private final InstantSource clock;
  private final Duration cardAgeMax;
  private final AttemptMeter meter;
  private @Nullable FetchedCard fetchedCard;

  private record FetchedCard(Instant until, CompletableFuture<AgentOutcome<AgentCard>> outcome) {

    /** A card that could not be fetched is fetched again for the next call. */
    boolean isUsable(Instant now) {
      return !outcome.isDone()
          || (now.isBefore(until)
              && !outcome.isCompletedExceptionally()
              && outcome.join() instanceof Success<AgentCard>);
    }
  }

  /**
   * Fetches nothing yet.
   *
   * @param cardMillisMax how long the card is remembered
   * @param meter measures each attempt at a call, and each that fails to get the card
   */
  public AgentUpstream(
      Source definition,
      AgentClient agentClient,
      InstantSource clock,
      long cardMillisMax,
      AttemptMeter meter) {
    this.definition = definition;
    this.faults = new AgentFaults(source(), endpoint());
    this.agentClient = agentClient;
    this.clock = clock;
    this.cardAgeMax = Duration.ofMillis(cardMillisMax);
    this.meter = meter;
  }

  @Override
  public Source definition() {
    return definition;
  }

  @Override
  public CompletableFuture<Response> call(Call call, MessageListener listener) {
    return call(call, listener, (_, _) -> CompletableFuture.completedFuture(true));
  }

  @Override
  public CompletableFuture<Response> call(
      Call call, MessageListener listener, BeforeAttempt before) {
    CompletableFuture<Response> response = new CompletableFuture<>();
    AgentCall agentCall =
        new AgentCall(
            agentClient, faults, call, listener, before, response, this::forgetCard, meter);
    CompletableFuture<Void> _ =
        card(agentCall.cardOptions())
            .thenCompose(agentCall::start)
            .handle((ended, failure) -> {
              if (failure == null) {
                response.complete(ended);
              } else {
                response.completeExceptionally(failure);
              }
              return null;
            });
    return response;
  }

  /** The skills of the agent's card. */
  @Override
  public CompletableFuture<Listing> listTools() {
    return card()
        .thenApply(outcome ->
            switch (outcome) {
              case Success<AgentCard>(var card) ->
                  new Listing.Tools(card.skills().stream().map(AgentUpstream::tool).toList());
              case Failed<AgentCard>(var failure) ->
                  new Listing.Failed(new Ended.Failure(faults.fault(failure, 1)));
            });
  }

  private static Tool tool(AgentCard.Skill skill) {
    return new Tool(
        skill.id(),
        "{\"name\":%s,\"title\":%s,\"description\":%s}"
            .formatted(quoted(skill.id()), quoted(skill.name()), quoted(skill.description())));
  }

  /** The agent's card, which is fetched unless it is remembered. */
  public CompletableFuture<AgentOutcome<AgentCard>> card() {
    return card(
        new AgentCallOptions(Map.of(), new MeteredAttempts(meter, false, AttemptListener.NONE)));
  }

  /** Calls that come while a fetch is under way share its outcome. */
  private CompletableFuture<AgentOutcome<AgentCard>> card(AgentCallOptions options) {
    return fetchedCard(options).outcome;
  }

  private synchronized FetchedCard fetchedCard(AgentCallOptions options) {
    if (fetchedCard != null && fetchedCard.isUsable(clock.instant())) {
      return fetchedCard;
    }
    FetchedCard fetched =
        new FetchedCard(clock.instant().plus(cardAgeMax), agentClient.fetchCard(options));
    fetchedCard = fetched;
    return fetched;
  }

  /** Fetches the card again for the next call: the agent no longer speaks as it says. */
  private synchronized void forgetCard() {
    fetchedCard = null;
  }
}
