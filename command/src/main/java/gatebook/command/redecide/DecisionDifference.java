package gatebook.command.redecide;

import gatebook.events.call.Gate;
import gatebook.events.call.Ruling;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Where a decision that was taken again says something else than the recorded one. */
public sealed interface DecisionDifference {

  /** The position of the event that says otherwise. */
  long position();

  /** What a gate ruled; absent where it was not asked. */
  record OfGate(long position, Gate gate, @Nullable Ruling recorded, @Nullable Ruling again)
      implements DecisionDifference {}

  /** What it came to, though every gate ruled the same. */
  record OfOutcome(long position, DecisionOutcome recorded, DecisionOutcome again)
      implements DecisionDifference {}

  /**
   * Everything in which the two differ, verdict by verdict with what each rests on. How long it
   * took, whether it was known already and which version of the engine said it does not count.
   */
  static List<DecisionDifference> all(RecordedCall.Decision recorded, Redecision again) {
    return between(recorded, again, (one, other) -> essence(one).equals(essence(other)));
  }

  /** Where the two come to something else, whatever it rests on. */
  static List<DecisionDifference> ofVerdicts(RecordedCall.Decision recorded, Redecision again) {
    return between(recorded, again, (one, other) -> one.verdict().equals(other.verdict()));
  }

  private static List<DecisionDifference> between(
      RecordedCall.Decision recorded, Redecision again, BiPredicate<Ruling, Ruling> same) {
    List<DecisionDifference> differences = new ArrayList<>();
    for (Gate gate : Gate.values()) {
      Ruling then = of(gate, recorded.rulings());
      Ruling now = of(gate, again.rulings());
      if (differ(then, now, same)) {
        differences.add(new OfGate(recorded.position(), gate, then, now));
      }
    }
    if (differences.isEmpty() && !recorded.outcome().agreesWith(again.outcome())) {
      differences.add(new OfOutcome(recorded.position(), recorded.outcome(), again.outcome()));
    }
    return differences;
  }

  private static boolean differ(
      @Nullable Ruling one, @Nullable Ruling other, BiPredicate<Ruling, Ruling> same) {
    if (one == null || other == null) {
      return one != null || other != null;
    }
    return !same.test(one, other);
  }

  private static @Nullable Ruling of(Gate gate, List<Ruling> rulings) {
    Optional<Ruling> ruling = rulings.stream().filter(it -> it.gate() == gate).findFirst();
    return ruling.orElse(null);
  }

  private static Ruling essence(Ruling ruling) {
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
