package gatebook.command.gate;

import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import org.jspecify.annotations.Nullable;

/** Gate 2: the first rule that matches decides, else the default. */
public final class Governing {

  private Governing() {}

  /** What was decided; {@code rule} is absent when the default did. */
  public record Governed(Verdict verdict, Action action, @Nullable Rule rule) {

    /** This as a ruling that took so long. */
    Ruling.Governance ruling(long tookMicros) {
      return new Ruling.Governance(
          verdict,
          action,
          rule == null ? null : rule.place(),
          rule == null ? null : rule.match().pattern(),
          tookMicros);
    }
  }

  public static Governed of(String source, String ownName, Governance governance) {
    for (Rule rule : governance.rules()) {
      if (isFor(rule, source) && rule.match().matches(ownName)) {
        return new Governed(
            verdict(rule.action(), rule.workflow(), DenialReason.RULE), rule.action(), rule);
      }
    }
    Action action = governance.defaultAction();
    return new Governed(verdict(action, null, DenialReason.DEFAULT_ACTION), action, null);
  }

  private static boolean isFor(Rule rule, String source) {
    return rule.sources().isEmpty() || rule.sources().contains(source);
  }

  private static Verdict verdict(Action action, @Nullable String workflow, DenialReason denial) {
    return switch (action) {
      case FORWARD -> new Verdict.Forward();
      case DENY -> new Verdict.Deny(denial, null);
      case APPROVE -> new Verdict.Ask(workflow == null ? "" : workflow);
      case POLICY -> new Verdict.Pass();
    };
  }
}
