package gatebook.command.gate;

import gatebook.command.gate.GovernanceGate.Governed;
import gatebook.command.gate.VisibilityGate.Sight;
import gatebook.command.policy.PolicyQuestion;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
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
 * first that denies decides; later ones are not asked. Of several targets, each meets them all
 * before the next one does; a person is asked once, so that all who are to be asked are the same.
 *
 * <p>The clock only says how long each took; no verdict depends on it.
 */
public final class GateChain {

  private final LongSupplier nanos;

  public GateChain(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public GateOutcome way(GateInput gateInput, Rules rules) {
    List<GateInput> each = gateInput.each();
    GateOutcome all = walk(each.getFirst(), rules, new ArrayList<>(3));
    for (GateInput other : each.subList(1, each.size())) {
      if (all instanceof GateOutcome.Shut) {
        return all;
      }
      all = both(all, other, walk(other, rules, new ArrayList<>(all.rulings())));
    }
    return all;
  }

  private GateOutcome walk(GateInput gateInput, Rules rules, List<Ruling> rulings) {
    return new Walk(gateInput, rules, rulings).begin();
  }

  /** The rulings of the later way begin with those of the earlier. */
  private static GateOutcome both(
      GateOutcome before, GateInput gateInput, GateOutcome gateOutcome) {
    Source first = source(before);
    return switch (gateOutcome) {
      case GateOutcome.Shut shut -> shut;
      case GateOutcome.Ask ask
          when before instanceof GateOutcome.Ask earlier
              && !earlier.workflow().equals(ask.workflow()) ->
          ask.unasked(gateInput, "others are asked about it: ask for it alone");
      case GateOutcome.Ask ask -> new GateOutcome.Ask(first, ask.workflow(), ask.rulings());
      case GateOutcome.Open open when before instanceof GateOutcome.Ask earlier ->
          new GateOutcome.Ask(first, earlier.workflow(), open.rulings());
      case GateOutcome.Open open -> new GateOutcome.Open(first, open.rulings());
    };
  }

  private static Source source(GateOutcome open) {
    return switch (open) {
      case GateOutcome.Open(var source, _) -> source;
      case GateOutcome.Ask(var source, _, _) -> source;
      case GateOutcome.Shut _ -> throw new IllegalStateException("nothing follows a denial");
    };
  }

  /** One call, with one target, before one set of rules. */
  private final class Walk {
    private final GateInput gateInput;
    private final Rules rules;
    private final List<Ruling> rulings;

    Walk(GateInput gateInput, Rules rules, List<Ruling> rulings) {
      this.gateInput = gateInput;
      this.rules = rules;
      this.rulings = rulings;
    }

    GateOutcome begin() {
      long from = nanos.getAsLong();
      Sight sight = VisibilityGate.of(gateInput.target(), gateInput.on().family(), rules);
      rulings.add(sight.ruling(microsSince(from)));
      return switch (sight) {
        case Sight.Shown(var source, _) -> governed(source);
        case Sight.Hidden(var reason, var source, _) ->
            shut(
                source,
                new Denied.ToolNotExposed(
                    gateInput.target(), idOf(source), gateInput.on().content()),
                reason);
      };
    }

    private GateOutcome governed(Source source) {
      long from = nanos.getAsLong();
      Governed governed =
          GovernanceGate.of(
              source.id(),
              source.ownName(gateInput.target()),
              rules.governance(),
              rules.workflows().keySet());
      rulings.add(governed.ruling(microsSince(from)));
      return switch (governed.verdict()) {
        case Verdict.Forward _ -> new GateOutcome.Open(source, rulings);
        case Verdict.Ask(var workflow) -> ask(source, workflow);
        case Verdict.Pass _ -> permitted(source, governed);
        case Verdict.Deny(var reason, _) -> shut(source, ruleDenied(governed.rule()), reason);
      };
    }

    private Fault ruleDenied(@Nullable Rule rule) {
      return rule == null
          ? new Denied.GovernanceRuleDenied(
              gateInput.target(), null, false, gateInput.on().content())
          : new Denied.GovernanceRuleDenied(
              gateInput.target(),
              rule.match().pattern(),
              rule.isPublic(),
              gateInput.on().content());
    }

    private GateOutcome permitted(Source source, Governed governed) {
      Rule rule = governed.rule();
      Ruling.Policy ruling = rules.policies().decide(question(source, governed));
      rulings.add(ruling);
      return switch (ruling.verdict()) {
        case Verdict.Deny(var reason, _) -> shut(source, policyDenied(ruling), reason);
        case Verdict.Pass _ when rule != null && rule.workflow() != null ->
            ask(source, rule.workflow());
        case Verdict.Pass _, Verdict.Forward _, Verdict.Ask _ ->
            new GateOutcome.Open(source, rulings);
      };
    }

    private PolicyQuestion question(Source source, Governed governed) {
      return new PolicyQuestion(
          gateInput.principal(),
          gateInput.method(),
          gateInput.on().content() == null,
          source.ownName(gateInput.target()),
          source.id(),
          gateInput.arguments(),
          governed.policyId(),
          gateInput.at());
    }

    private Fault policyDenied(Ruling.Policy ruling) {
      List<String> why = ruling.errors().isEmpty() ? ruling.reasons() : ruling.errors();
      return new Denied.PolicyDenied(
          gateInput.target(),
          ruling.policyId(),
          why.isEmpty() ? null : String.join(", ", why),
          gateInput.on().content());
    }

    private GateOutcome ask(Source source, String name) {
      ApprovalWorkflow approvalWorkflow = rules.workflows().get(name);
      if (approvalWorkflow != null) {
        return new GateOutcome.Ask(source, approvalWorkflow, rulings);
      }
      rulings.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), name, null, null, 0));
      return shut(source, new Denied.WorkflowNotFound(name), DenialReason.WORKFLOW_NOT_FOUND);
    }

    private GateOutcome shut(@Nullable Source source, Fault fault, DenialReason reason) {
      return new GateOutcome.Shut(source, gateInput.target(), fault, reason, rulings);
    }
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }

  private long microsSince(long from) {
    return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - from);
  }
}
