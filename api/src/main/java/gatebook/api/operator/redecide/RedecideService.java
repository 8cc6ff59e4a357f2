package gatebook.api.operator.redecide;

import gatebook.api.gateway.RoutingSnapshot;
import gatebook.api.operator.redecide.CallRedecider.Result;
import gatebook.api.operator.redecide.RecordedRules.Found;
import gatebook.api.operator.redecide.RedecidedCall.Differing;
import gatebook.api.operator.redecide.RedecidedCall.Now;
import gatebook.api.operator.redecide.RedecidedCall.Then;
import gatebook.command.redecide.DecisionDifference;
import gatebook.command.redecide.DecisionOutcome;
import gatebook.command.redecide.RecordedCall;
import gatebook.command.redecide.RecordedCall.Decision;
import gatebook.command.redecide.RecordedEvent;
import gatebook.command.redecide.Redecision;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.query.calls.CallHistory;
import gatebook.query.calls.CallHistory.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Replays one call for debugging: its events with the state after each, and its decision taken
 * again. Decides nothing anew and records nothing.
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

  /** What is shown of a call that is in the journal; reads and blocks. */
  public RedecidedCall of(UUID call) {
    return new Replaying(call, callHistory.of(call)).replayed();
  }

  /** One call, and what is found out about it. */
  private final class Replaying {
    private final UUID callId;
    private final List<Moment> moments;
    private final RecordedCall recordedCall;
    private final List<String> facts;
    private final List<String> remarks = new ArrayList<>();
    private final RecordedRules recordedRules = new RecordedRules(ruleActivations);
    private @Nullable NotRedecidable notRedecidable;

    Replaying(UUID callId, List<Moment> moments) {
      this.callId = callId;
      this.moments = moments;
      this.recordedCall = RecordedCall.of(happened(moments));
      this.facts = new ArrayList<>(recordedCall.facts());
      moments.stream()
          .filter(moment -> moment.event().isEmpty())
          .forEach(moment ->
              remarks.add(
                  "this version cannot read the event at position %d"
                      .formatted(moment.position())));
    }

    RedecidedCall replayed() {
      CallReceived received = recordedCall.received();
      if (received == null || recordedCall.undecided() != null) {
        notRedecidable =
            new NotRedecidable(
                "nothing-decided", "there is nothing to decide again: " + recordedCall.undecided());
        return answer(received, null, null);
      }
      CallRedecider callRedecider = new CallRedecider(received, redecideContext);
      Then then = then(callRedecider);
      Now now = now(callRedecider, received.principal());
      return answer(received, then, now);
    }

    private RedecidedCall answer(
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

    private @Nullable Then then(CallRedecider callRedecider) {
      Decision first = recordedCall.decisions().getFirst();
      return switch (recordedRules.of(first.rulesHash(), first.position())) {
        case Found.Not(var why) -> {
          not(why);
          yield null;
        }
        case Found.Read(var read, var activatedAt) ->
            switch (callRedecider.under(read, first.at())) {
              case Result.Impossible(var why) -> {
                not(why);
                yield null;
              }
              case Result.Done(var redecision) ->
                  then(first, read, activatedAt, redecision, laterDifferences(callRedecider));
            };
      };
    }

    /** Of two reasons the first says more. */
    private void not(NotRedecidable why) {
      notRedecidable = Objects.requireNonNullElse(notRedecidable, why);
    }

    private Then then(
        Decision first,
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
          first.outcome().words(),
          redecision.outcome().words(),
          source(redecision),
          redecision.rulings(),
          differences.isEmpty(),
          shown(differences));
    }

    /** Of the decisions after the call was held, each by the rules of its own time. */
    private List<DecisionDifference> laterDifferences(CallRedecider callRedecider) {
      return recordedCall.decisions().stream()
          .skip(1)
          .flatMap(decision -> laterDifferences(callRedecider, decision).stream())
          .toList();
    }

    private List<DecisionDifference> laterDifferences(
        CallRedecider callRedecider, Decision decision) {
      return switch (recordedRules.of(decision.rulesHash(), decision.position())) {
        case Found.Not(var why) -> notLater(decision, why);
        case Found.Read(var read, _) ->
            switch (callRedecider.under(read, decision.at())) {
              case Result.Impossible(var why) -> notLater(decision, why);
              case Result.Done(var redecision) -> differences(decision, read, redecision);
            };
      };
    }

    private List<DecisionDifference> notLater(Decision decision, NotRedecidable why) {
      facts.add("the decision at position %d: %s".formatted(decision.position(), why.message()));
      return List.of();
    }

    private List<DecisionDifference> differences(
        Decision decision, Rules rules, Redecision redecision) {
      List<DecisionDifference> differences = DecisionDifference.all(decision, redecision);
      if (isInspectionOnly(differences) && hasSecrets(rules)) {
        facts.add(
            "inspection: %s; inspectors know the values of headers and of the environment, which"
                    .formatted(decision.outcome().words())
                + " are not recorded");
        return List.of();
      }
      return differences;
    }

    private static boolean isInspectionOnly(List<DecisionDifference> differences) {
      return differences.size() == 1
          && differences.getFirst() instanceof DecisionDifference.OfOutcome(_, var one, var other)
          && (one instanceof DecisionOutcome.Withheld || other instanceof DecisionOutcome.Withheld);
    }

    private static boolean hasSecrets(Rules rules) {
      return !rules.redaction().environment().isEmpty()
          || rules.sources().stream().anyMatch(it -> !it.headers().isEmpty());
    }

    private @Nullable Now now(CallRedecider callRedecider, Principal principal) {
      RoutingSnapshot routingSnapshot = redecideContext.ground().get();
      Decision first = recordedCall.decisions().getFirst();
      if (routingSnapshot.obstacle() != null) {
        not(
            new NotRedecidable(
                "no-rules-in-force",
                "no rules are in force now: see /ready, or gatebook rules check FILE"));
        return null;
      }
      return switch (callRedecider.under(routingSnapshot.rules(), first.at())) {
        case Result.Impossible(var why) -> {
          not(why);
          yield null;
        }
        case Result.Done(var redecision) -> {
          remarkOnPrincipal(principal, routingSnapshot.rules());
          yield now(first, routingSnapshot.rules(), redecision);
        }
      };
    }

    private static Now now(Decision first, Rules rules, Redecision redecision) {
      List<DecisionDifference> differences = DecisionDifference.ofVerdicts(first, redecision);
      return new Now(
          rules.hash(),
          redecision.outcome().words(),
          source(redecision),
          redecision.rulings(),
          !differences.isEmpty(),
          shown(differences));
    }

    private void remarkOnEngine(Decision recordedDecision, Redecision redecision) {
      Optional<String> then = engine(recordedDecision.rulings());
      Optional<String> again = engine(redecision.rulings());
      if (then.isPresent() && again.isPresent() && !then.equals(again)) {
        remarks.add(
            "policies were evaluated by %s then, and by %s again"
                .formatted(then.get(), again.get()));
      }
    }

    private static Optional<String> engine(List<Ruling> rulings) {
      return rulings.stream()
          .filter(Ruling.Policy.class::isInstance)
          .map(it -> ((Ruling.Policy) it).engineVersion())
          .findFirst();
    }

    /** Who called is a recorded fact; today the same caller may be somebody else. */
    private void remarkOnPrincipal(Principal then, Rules rules) {
      rules.principals().stream()
          .map(KnownPrincipal::principal)
          .filter(it -> it.name().equals(then.name()) && !it.equals(then))
          .forEach(_ ->
              remarks.add(
                  "%s has other roles or attributes in the rules in force: decided with those of then"
                      .formatted(then.name())));
    }
  }

  private static List<RecordedEvent> happened(List<Moment> moments) {
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

  private static List<Differing> shown(List<DecisionDifference> differences) {
    return differences.stream().map(Differing::of).toList();
  }
}
