package gatebook.command.gate;

import gatebook.command.gate.Asked.On;
import gatebook.command.gate.Governing.Governed;
import gatebook.command.gate.Visibility.Sight;
import gatebook.command.policy.Question;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The gates in the order in which a call meets them, as one function of the call and the rules. The
 * first that denies decides; later ones are not asked.
 *
 * <p>The clock only says how long each took; no verdict depends on it.
 */
public final class Gates {

  private final LongSupplier nanos;

  public Gates(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public Way way(Asked asked, Rules rules) {
    return new Walk(asked, rules).begin();
  }

  /** One call before one set of rules. */
  private final class Walk {
    private final Asked asked;
    private final Rules rules;
    private final List<Ruling> rulings = new ArrayList<>(3);

    Walk(Asked asked, Rules rules) {
      this.asked = asked;
      this.rules = rules;
    }

    Way begin() {
      long from = nanos.getAsLong();
      Sight sight = Visibility.of(asked.target(), asked.on().family(), rules);
      rulings.add(sight.ruling(microsSince(from)));
      return switch (sight) {
        case Sight.Shown(var source, _) -> governed(source);
        case Sight.Hidden(var reason, var source, _) ->
            shut(source, new Denied.ToolNotExposed(asked.target(), idOf(source)), reason);
      };
    }

    private Way governed(Source source) {
      long from = nanos.getAsLong();
      Governed governed =
          Governing.of(
              source.id(),
              source.ownName(asked.target()),
              rules.governance(),
              rules.workflows().keySet());
      rulings.add(governed.ruling(microsSince(from)));
      return switch (governed.verdict()) {
        case Verdict.Forward _ -> new Way.Open(source, rulings);
        case Verdict.Ask(var workflow) -> ask(source, workflow);
        case Verdict.Pass _ -> permitted(source, governed);
        case Verdict.Deny(var reason, _) -> shut(source, ruleDenied(governed.rule()), reason);
      };
    }

    private Fault ruleDenied(@Nullable Rule rule) {
      return rule == null
          ? new Denied.GovernanceRuleDenied(asked.target(), null, false)
          : new Denied.GovernanceRuleDenied(
              asked.target(), rule.match().pattern(), rule.isPublic());
    }

    private Way permitted(Source source, Governed governed) {
      Rule rule = governed.rule();
      Ruling.Policy ruling = rules.policies().decide(question(source, governed));
      rulings.add(ruling);
      return switch (ruling.verdict()) {
        case Verdict.Deny(var reason, _) -> shut(source, policyDenied(ruling), reason);
        case Verdict.Pass _ when rule != null && rule.workflow() != null ->
            ask(source, rule.workflow());
        case Verdict.Pass _, Verdict.Forward _, Verdict.Ask _ -> new Way.Open(source, rulings);
      };
    }

    private Question question(Source source, Governed governed) {
      return new Question(
          asked.principal(),
          asked.method(),
          asked.on() != On.CONTENT,
          source.ownName(asked.target()),
          source.id(),
          asked.arguments(),
          governed.policyId(),
          asked.at());
    }

    private Fault policyDenied(Ruling.Policy ruling) {
      List<String> why = ruling.errors().isEmpty() ? ruling.reasons() : ruling.errors();
      return new Denied.PolicyDenied(
          asked.target(), ruling.policyId(), why.isEmpty() ? null : String.join(", ", why));
    }

    private Way ask(Source source, String name) {
      Workflow workflow = rules.workflows().get(name);
      if (workflow != null) {
        return new Way.Ask(source, workflow, rulings);
      }
      rulings.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), name, null, null, 0));
      return shut(source, new Denied.WorkflowNotFound(name), DenialReason.WORKFLOW_NOT_FOUND);
    }

    private Way shut(@Nullable Source source, Fault fault, DenialReason reason) {
      return new Way.Shut(source, fault, reason, rulings);
    }
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }

  private long microsSince(long from) {
    return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - from);
  }
}
