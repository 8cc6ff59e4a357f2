package gatebook.api.again;

import gatebook.api.again.Replayed.Differing;
import gatebook.api.again.Replayed.Now;
import gatebook.api.again.Replayed.Then;
import gatebook.api.again.RulesOfThen.Found;
import gatebook.api.again.Trial.Result;
import gatebook.api.border.Ground;
import gatebook.command.again.Decided;
import gatebook.command.again.Difference;
import gatebook.command.again.Happened;
import gatebook.command.again.Outcome;
import gatebook.command.again.Recorded;
import gatebook.command.again.Recorded.Decision;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Rules;
import gatebook.events.CallReceived;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.query.calls.Retelling;
import gatebook.query.calls.Retelling.Moment;
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
public final class CallReplay {

  private final Retelling retelling;
  private final Activations activations;
  private final Means means;

  public CallReplay(Retelling retelling, Activations activations, Means means) {
    this.retelling = retelling;
    this.activations = activations;
    this.means = means;
  }

  /** What is shown of a call that is in the journal; reads and blocks. */
  public Replayed of(UUID call) {
    return new Replaying(call, retelling.of(call)).replayed();
  }

  /** One call, and what is found out about it. */
  private final class Replaying {
    private final UUID callId;
    private final List<Moment> moments;
    private final Recorded recorded;
    private final List<String> facts;
    private final List<String> remarks = new ArrayList<>();
    private final RulesOfThen rulesOfThen = new RulesOfThen(activations);
    private @Nullable NotReplayable notReplayable;

    Replaying(UUID callId, List<Moment> moments) {
      this.callId = callId;
      this.moments = moments;
      this.recorded = Recorded.of(happened(moments));
      this.facts = new ArrayList<>(recorded.facts());
      moments.stream()
          .filter(moment -> moment.event().isEmpty())
          .forEach(moment ->
              remarks.add(
                  "this version cannot read the event at position %d"
                      .formatted(moment.position())));
    }

    Replayed replayed() {
      CallReceived received = recorded.received();
      if (received == null || recorded.undecided() != null) {
        notReplayable =
            new NotReplayable(
                "nothing-decided", "there is nothing to decide again: " + recorded.undecided());
        return answer(received, null, null);
      }
      Trial trial = new Trial(received, means);
      Then then = then(trial);
      Now now = now(trial, received.principal());
      return answer(received, then, now);
    }

    private Replayed answer(
        @Nullable CallReceived received, @Nullable Then then, @Nullable Now now) {
      return new Replayed(
          callId,
          moments.isEmpty() ? null : moments.getLast().call().correlationId(),
          received == null ? null : received.arguments(),
          Steps.of(moments),
          then,
          now,
          notReplayable,
          facts,
          remarks);
    }

    private @Nullable Then then(Trial trial) {
      Decision first = recorded.decisions().getFirst();
      return switch (rulesOfThen.of(first.rulesHash(), first.position())) {
        case Found.Not(var why) -> {
          not(why);
          yield null;
        }
        case Found.Read(var read, var activatedAt) ->
            switch (trial.under(read, first.at())) {
              case Result.Impossible(var why) -> {
                not(why);
                yield null;
              }
              case Result.Done(var decided) ->
                  then(first, read, activatedAt, decided, laterDifferences(trial));
            };
      };
    }

    /** Of two reasons the first says more. */
    private void not(NotReplayable why) {
      notReplayable = Objects.requireNonNullElse(notReplayable, why);
    }

    private Then then(
        Decision first, Rules rules, String activatedAt, Decided decided, List<Difference> later) {
      remarkOnEngine(first, decided);
      List<Difference> differences =
          Stream.concat(differences(first, rules, decided).stream(), later.stream()).toList();
      return new Then(
          first.rulesHash(),
          activatedAt,
          first.outcome().words(),
          decided.outcome().words(),
          source(decided),
          decided.rulings(),
          differences.isEmpty(),
          shown(differences));
    }

    /** Of the decisions after the call was held, each by the rules of its own time. */
    private List<Difference> laterDifferences(Trial trial) {
      return recorded.decisions().stream()
          .skip(1)
          .flatMap(decision -> laterDifferences(trial, decision).stream())
          .toList();
    }

    private List<Difference> laterDifferences(Trial trial, Decision decision) {
      return switch (rulesOfThen.of(decision.rulesHash(), decision.position())) {
        case Found.Not(var why) -> notLater(decision, why);
        case Found.Read(var read, _) ->
            switch (trial.under(read, decision.at())) {
              case Result.Impossible(var why) -> notLater(decision, why);
              case Result.Done(var decided) -> differences(decision, read, decided);
            };
      };
    }

    private List<Difference> notLater(Decision decision, NotReplayable why) {
      facts.add("the decision at position %d: %s".formatted(decision.position(), why.message()));
      return List.of();
    }

    private List<Difference> differences(Decision decision, Rules rules, Decided decided) {
      List<Difference> differences = Difference.all(decision, decided);
      if (isInspectionOnly(differences) && hasSecrets(rules)) {
        facts.add(
            "inspection: %s; inspectors know the values of headers and of the environment, which"
                    .formatted(decision.outcome().words())
                + " are not recorded");
        return List.of();
      }
      return differences;
    }

    private static boolean isInspectionOnly(List<Difference> differences) {
      return differences.size() == 1
          && differences.getFirst() instanceof Difference.OfOutcome(_, var one, var other)
          && (one instanceof Outcome.Withheld || other instanceof Outcome.Withheld);
    }

    private static boolean hasSecrets(Rules rules) {
      return !rules.redaction().environment().isEmpty()
          || rules.sources().stream().anyMatch(it -> !it.headers().isEmpty());
    }

    private @Nullable Now now(Trial trial, Principal principal) {
      Ground ground = means.ground().get();
      Decision first = recorded.decisions().getFirst();
      if (ground.obstacle() != null) {
        not(
            new NotReplayable(
                "no-rules-in-force",
                "no rules are in force now: see /ready, or gatebook rules check FILE"));
        return null;
      }
      return switch (trial.under(ground.rules(), first.at())) {
        case Result.Impossible(var why) -> {
          not(why);
          yield null;
        }
        case Result.Done(var decided) -> {
          remarkOnPrincipal(principal, ground.rules());
          yield now(first, ground.rules(), decided);
        }
      };
    }

    private static Now now(Decision first, Rules rules, Decided decided) {
      List<Difference> differences = Difference.ofVerdicts(first, decided);
      return new Now(
          rules.hash(),
          decided.outcome().words(),
          source(decided),
          decided.rulings(),
          !differences.isEmpty(),
          shown(differences));
    }

    private void remarkOnEngine(Decision recordedDecision, Decided decided) {
      Optional<String> then = engine(recordedDecision.rulings());
      Optional<String> again = engine(decided.rulings());
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

  private static List<Happened> happened(List<Moment> moments) {
    return moments.stream()
        .flatMap(moment ->
            moment.event().stream()
                .map(event -> new Happened(moment.position(), Instant.parse(moment.at()), event)))
        .toList();
  }

  private static @Nullable String source(Decided decided) {
    return decided.outcome() instanceof Outcome.Forwarded(var source) ? source : null;
  }

  private static List<Differing> shown(List<Difference> differences) {
    return differences.stream().map(Differing::of).toList();
  }
}
