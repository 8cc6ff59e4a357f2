package gatebook.command.redecide;

import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** A difference between a recorded decision and its redecision. */
public sealed interface DecisionDifference {

  /** The position of the event with the recorded decision. */
  long position();

  /** A gate ruled differently; a ruling is absent where the gate was not asked. */
  record GateDifference(
      long position, Gate gate, @Nullable Ruling recorded, @Nullable Ruling redecided)
      implements DecisionDifference {}

  /** The outcome differs, though every gate ruled the same. */
  record OutcomeDifference(long position, DecisionOutcome recorded, DecisionOutcome redecided)
      implements DecisionDifference {}

  /**
   * All differences: of each verdict and of what it rests on. Not compared are durations, whether a
   * ruling came from the cache, and the version of the engine.
   */
  static List<DecisionDifference> all(
      RecordedCall.RecordedDecision recorded, Redecision redecision) {
    return between(recorded, redecision, (one, other) -> comparable(one).equals(comparable(other)));
  }

  /** Differences of verdicts and outcome only; what these rest on is not compared. */
  static List<DecisionDifference> ofVerdicts(
      RecordedCall.RecordedDecision recorded, Redecision redecision) {
    return between(recorded, redecision, (one, other) -> one.verdict().equals(other.verdict()));
  }

  private static List<DecisionDifference> between(
      RecordedCall.RecordedDecision recorded,
      Redecision redecision,
      BiPredicate<Ruling, Ruling> same) {
    List<DecisionDifference> differences = new ArrayList<>();
    for (Gate gate : Gate.values()) {
      Ruling then = ruling(gate, recorded.rulings());
      Ruling now = ruling(gate, redecision.rulings());
      if (isDifferent(then, now, same)) {
        differences.add(new GateDifference(recorded.position(), gate, then, now));
      }
    }
    if (differences.isEmpty() && !recorded.outcome().agreesWith(redecision.outcome())) {
      differences.add(
          new OutcomeDifference(recorded.position(), recorded.outcome(), redecision.outcome()));
    }
    return differences;
  }

  private static boolean isDifferent(
      @Nullable Ruling one, @Nullable Ruling other, BiPredicate<Ruling, Ruling> same) {
    if (one == null || other == null) {
      return one != null || other != null;
    }
    return !same.test(one, other);
  }

  private static @Nullable Ruling ruling(Gate gate, List<Ruling> rulings) {
    for (Ruling ruling : rulings) {
      if (ruling.gate() == gate) {
        return ruling;
      }
    }
    return null;
  }

  private static Ruling comparable(Ruling ruling) {
    return switch (ruling) {
      case Ruling.Visibility(var verdict, var exposure, var pattern, _) ->
          new Ruling.Visibility(verdict, exposure, pattern, 0);
      case Ruling.Governance(var verdict, var action, var rule, var pattern, _) ->
          new Ruling.Governance(verdict, action, rule, pattern, 0);
      case Ruling.Policy(var verdict, var policyId, var reasons, var errors, _, _, _) ->
          new Ruling.Policy(verdict, policyId, reasons, errors, "", false, 0);
      case Ruling.Approval(var verdict, var workflow, var approvalId, var by, _) ->
          new Ruling.Approval(verdict, workflow, approvalId, by, 0);
    };
  }
}
