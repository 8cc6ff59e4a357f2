package gatebook.api.operator.redecide;

import gatebook.api.gateway.message.RoutingSnapshot;
import gatebook.api.operator.redecide.CallRedecider.Result;
import gatebook.api.operator.redecide.RecordedRules.Search;
import gatebook.api.operator.redecide.RedecidedCall.Difference;
import gatebook.api.operator.redecide.RedecidedCall.Now;
import gatebook.api.operator.redecide.RedecidedCall.Then;
import gatebook.command.redecide.DecisionDifference;
import gatebook.command.redecide.DecisionOutcome;
import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedCall.RecordedDecision;
import gatebook.command.redecide.RecordedEvent;
import gatebook.command.redecide.Redecision;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.vocabulary.ContentState;
import gatebook.query.call.CallHistory;
import gatebook.query.call.CallHistory.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Redecides one call for debugging: shows its events with the state after each, and takes its
 * decision again. It changes nothing and records nothing.
 */
public final class RedecideService {

  private final CallHistory callHistory;
  private final RuleActivations ruleActivations;
  private final RedecideContext redecideContext;

  public RedecideService(
      CallHistory callHistory, RuleActivations ruleActivations, RedecideContext redecideContext) {
    this.callHistory = callHistory;
    this.ruleActivations = ruleActivations;
    this.redecideContext = redecideContext;
  }

  /** Redecides a call that is in the journal. Reads and blocks. */
  public RedecidedCall redecide(UUID call) throws InterruptedException {
    return new RedecideRun(call, callHistory.of(call)).redecide();
  }

  /** The work on one call: collects facts and remarks while redeciding. */
  private final class RedecideRun {
    private final UUID callId;
    private final List<Moment> moments;
    private final RecordedCall recordedCall;
    private final List<String> facts;
    private final List<String> remarks = new ArrayList<>();
    private final RecordedRules recordedRules = new RecordedRules(ruleActivations);
    private @Nullable NotRedecidable notRedecidable;

    RedecideRun(UUID callId, List<Moment> moments) {
      this.callId = callId;
      this.moments = moments;
      this.recordedCall = RecordedCall.of(recordedEvents(moments));
      this.facts = new ArrayList<>(recordedCall.facts());
      moments.stream()
          .filter(moment -> moment.event().isEmpty())
          .forEach(moment ->
              remarks.add(
                  "this version cannot read the event at position %d"
                      .formatted(moment.position())));
    }

    RedecidedCall redecide() throws InterruptedException {
      CallReceived received = recordedCall.received();
      if (received == null || recordedCall.undecided() != null) {
        notRedecidable =
            new NotRedecidable(
                "nothing-decided",
                "there is no decision to take again: " + recordedCall.undecided());
        return result(received, null, null);
      }
      if (!redecideContext.handlers().containsKey(received.dialect())) {
        notRedecidable = NotRedecidable.dialectNotServed(received.dialect());
        return result(received, null, null);
      }
      CallRedecider callRedecider =
          new CallRedecider(received, contentState(received), redecideContext);
      Then then = then(callRedecider);
      Now now = now(callRedecider, received.principal());
      return result(received, then, now);
    }

    private ContentState contentState(CallReceived received) {
      return moments.stream()
          .filter(moment -> moment.event().filter(received::equals).isPresent())
          .findFirst()
          .map(Moment::contentState)
          .orElse(ContentState.PLAIN);
    }

    private RedecidedCall result(
        @Nullable CallReceived received, @Nullable Then then, @Nullable Now now) {
      return new RedecidedCall(
          callId,
          moments.isEmpty() ? null : moments.getLast().call().correlationId(),
          received == null ? null : received.arguments(),
          CallSteps.of(moments),
          then,
          now,
          notRedecidable,
          facts,
          remarks);
    }

    private @Nullable Then then(CallRedecider callRedecider) throws InterruptedException {
      RecordedDecision first = recordedCall.decisions().getFirst();
      return switch (recordedRules.search(first.rulesHash(), first.position())) {
        case Search.NotFound(var why) -> {
          notRedecidable(why);
          yield null;
        }
        case Search.Found(var rules, var activatedAt, _) ->
            switch (callRedecider.decide(rules, first.at())) {
              case Result.Impossible(var why) -> {
                notRedecidable(why);
                yield null;
              }
              case Result.Done(var redecision) ->
                  then(first, rules, activatedAt, redecision, laterDifferences(callRedecider));
            };
      };
    }

    /** Keeps the first of several reasons, which says most. */
    private void notRedecidable(NotRedecidable why) {
      notRedecidable = Objects.requireNonNullElse(notRedecidable, why);
    }

    private Then then(
        RecordedDecision first,
        Rules rules,
        String activatedAt,
        Redecision redecision,
        List<DecisionDifference> later) {
      remarkOnEngine(first, redecision);
      List<DecisionDifference> differences =
          Stream.concat(differences(first, rules, redecision).stream(), later.stream()).toList();
      return new Then(
          first.rulesHash(),
          activatedAt,
          first.outcome().summary(),
          redecision.outcome().summary(),
          source(redecision),
          redecision.rulings(),
          differences.isEmpty(),
          differencesJson(differences));
    }

    /**
     * The differences in the decisions after the call was held, each taken again by the rules of
     * its own time.
     */
    private List<DecisionDifference> laterDifferences(CallRedecider callRedecider)
        throws InterruptedException {
      List<DecisionDifference> differences = new ArrayList<>();
      List<RecordedDecision> decisions = recordedCall.decisions();
      for (RecordedDecision decision : decisions.subList(1, decisions.size())) {
        differences.addAll(laterDifferences(callRedecider, decision));
      }
      return differences;
    }

    private List<DecisionDifference> laterDifferences(
        CallRedecider callRedecider, RecordedDecision decision) throws InterruptedException {
      return switch (recordedRules.search(decision.rulesHash(), decision.position())) {
        case Search.NotFound(var why) -> laterNotRedecidable(decision, why);
        case Search.Found(var rules, _, _) ->
            switch (callRedecider.decide(rules, decision.at())) {
              case Result.Impossible(var why) -> laterNotRedecidable(decision, why);
              case Result.Done(var redecision) -> differences(decision, rules, redecision);
            };
      };
    }

    private List<DecisionDifference> laterNotRedecidable(
        RecordedDecision decision, NotRedecidable why) {
      facts.add("the decision at position %d: %s".formatted(decision.position(), why.message()));
      return List.of();
    }

    private List<DecisionDifference> differences(
        RecordedDecision decision, Rules rules, Redecision redecision) {
      Optional<List<DecisionDifference>> differences =
          DecisionCheck.differences(decision, rules, redecision);
      if (differences.isEmpty()) {
        facts.add(
            "inspection: %s; inspectors see the values of headers and of the environment, which"
                    .formatted(decision.outcome().summary())
                + " are not recorded");
      }
      return differences.orElse(List.of());
    }

    private @Nullable Now now(CallRedecider callRedecider, Principal principal) {
      RoutingSnapshot routingSnapshot = redecideContext.routingSnapshot().get();
      RecordedDecision first = recordedCall.decisions().getFirst();
      if (routingSnapshot.obstacle() != null) {
        notRedecidable(
            new NotRedecidable(
                "no-rules-in-force",
                "no rules are in force: see /ready, or gatebook rules check FILE"));
        return null;
      }
      return switch (new CandidateDecider(routingSnapshot.rules())
          .decide(recordedCall, callRedecider)) {
        case CandidateDecider.Result.Impossible(var why) -> {
          notRedecidable(why);
          yield null;
        }
        case CandidateDecider.Result.Decided(_, var redecision) -> {
          remarkOnPrincipal(principal, routingSnapshot.rules());
          yield now(first, routingSnapshot.rules(), redecision);
        }
      };
    }

    private static Now now(RecordedDecision first, Rules rules, Redecision redecision) {
      List<DecisionDifference> differences = DecisionDifference.ofVerdicts(first, redecision);
      return new Now(
          rules.hash(),
          redecision.outcome().summary(),
          source(redecision),
          redecision.rulings(),
          !differences.isEmpty(),
          differencesJson(differences));
    }

    private void remarkOnEngine(RecordedDecision recordedDecision, Redecision redecision) {
      Optional<String> then = engine(recordedDecision.rulings());
      Optional<String> again = engine(redecision.rulings());
      if (then.isPresent() && again.isPresent() && !then.equals(again)) {
        remarks.add(
            "policies were evaluated by %s originally, and by %s now"
                .formatted(then.get(), again.get()));
      }
    }

    private static Optional<String> engine(List<Ruling> rulings) {
      return rulings.stream()
          .filter(Ruling.Policy.class::isInstance)
          .map(it -> ((Ruling.Policy) it).engineVersion())
          .findFirst();
    }

    private void remarkOnPrincipal(Principal then, Rules rules) {
      Optional<Principal> now = rules.principals().known(then);
      if (now.isPresent() && !now.get().equals(then)) {
        remarks.add(
            "%s has other roles or attributes in the rules in force: these decided it now"
                .formatted(then.name()));
      } else if (now.isEmpty()) {
        remarks.add("the rules in force do not know %s".formatted(then.name()));
      }
    }
  }

  private static List<RecordedEvent> recordedEvents(List<Moment> moments) {
    return moments.stream()
        .flatMap(moment ->
            moment.event().stream()
                .map(event ->
                    new RecordedEvent(moment.position(), Instant.parse(moment.at()), event)))
        .toList();
  }

  private static @Nullable String source(Redecision redecision) {
    return redecision.outcome() instanceof DecisionOutcome.Forwarded(var source) ? source : null;
  }

  private static List<Difference> differencesJson(List<DecisionDifference> differences) {
    return differences.stream().map(Difference::of).toList();
  }
}
