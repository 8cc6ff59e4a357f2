package gatebook.api.operator.redecide;

import gatebook.command.redecide.DecisionDifference;
import gatebook.command.redecide.DecisionOutcome;
import gatebook.command.redecide.RecordedCall.RecordedDecision;
import gatebook.command.redecide.Redecision;
import gatebook.command.rules.Rules;
import java.util.List;
import java.util.Optional;

/** Compares a recorded decision with its redecision by the same rules, which must be the same. */
final class DecisionCheck {

  private DecisionCheck() {}

  /**
   * The differences; empty when they cannot be known: inspectors see the values of headers and of
   * the environment, which are not recorded.
   */
  static Optional<List<DecisionDifference>> differences(
      RecordedDecision decision, Rules rules, Redecision redecision) {
    List<DecisionDifference> differences = DecisionDifference.all(decision, redecision);
    return isInspectionOnly(differences) && hasSecrets(rules)
        ? Optional.empty()
        : Optional.of(differences);
  }

  private static boolean isInspectionOnly(List<DecisionDifference> differences) {
    return differences.size() == 1
        && differences.getFirst()
            instanceof DecisionDifference.OutcomeDifference(_, var one, var other)
        && (one instanceof DecisionOutcome.Withheld || other instanceof DecisionOutcome.Withheld);
  }

  private static boolean hasSecrets(Rules rules) {
    return !rules.redaction().environment().isEmpty()
        || rules.sources().stream().anyMatch(it -> !it.headers().isEmpty());
  }
}
