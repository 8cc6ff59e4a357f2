package gatebook.command.gate;

import gatebook.command.gate.GovernanceGate.GovernanceResult;
import gatebook.command.gate.VisibilityGate.VisibilityResult;
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
 * The chain of gates, in the order in which a call passes them, as a pure function of the call and
 * the rules. The first gate that denies decides; later ones are not asked. Of several targets, each
 * passes all gates before the next one does; there is one approval for all of them, so all that
 * need one must need the same workflow.
 *
 * <p>The clock only measures durations; no verdict depends on it.
 */
public final class GateChain {

  /**
   * The version of what gates and inspectors decide, which every decision is recorded with. A
   * change after which the same call and rules may give another decision raises it.
   */
  public static final int LOGIC_VERSION = 1;

  private static final String NO_PERMIT = "no policy permits it";

  private final LongSupplier nanos;

  public GateChain(LongSupplier nanos) {
    this.nanos = nanos;
  }

  public GateOutcome evaluate(GateInput gateInput, Rules rules) {
    List<GateInput> each = gateInput.perTarget();
    GateOutcome all = evaluate(each.getFirst(), rules, new ArrayList<>(3));
    for (GateInput other : each.subList(1, each.size())) {
      if (all instanceof GateOutcome.Denied) {
        return all;
      }
      all = combine(all, other, evaluate(other, rules, new ArrayList<>(all.rulings())));
    }
    return all;
  }

  private GateOutcome evaluate(GateInput gateInput, Rules rules, List<Ruling> rulings) {
    return new TargetEvaluation(gateInput, rules, rulings).evaluate();
  }

  /**
   * Combines the outcomes of two targets; the rulings of the later one begin with those of the
   * earlier.
   */
  private static GateOutcome combine(
      GateOutcome before, GateInput gateInput, GateOutcome gateOutcome) {
    Source first = source(before);
    return switch (gateOutcome) {
      case GateOutcome.Denied denied -> denied;
      case GateOutcome.NeedsApproval needsApproval
          when before instanceof GateOutcome.NeedsApproval earlier
              && !earlier.workflow().equals(needsApproval.workflow()) ->
          needsApproval.denied(gateInput, "others are asked about it: ask for it alone");
      case GateOutcome.NeedsApproval needsApproval ->
          new GateOutcome.NeedsApproval(first, needsApproval.workflow(), needsApproval.rulings());
      case GateOutcome.Allowed allowed when before instanceof GateOutcome.NeedsApproval earlier ->
          new GateOutcome.NeedsApproval(first, earlier.workflow(), allowed.rulings());
      case GateOutcome.Allowed allowed -> new GateOutcome.Allowed(first, allowed.rulings());
    };
  }

  private static Source source(GateOutcome open) {
    return switch (open) {
      case GateOutcome.Allowed(var source, _) -> source;
      case GateOutcome.NeedsApproval(var source, _, _) -> source;
      case GateOutcome.Denied _ -> throw new IllegalStateException("nothing follows a denial");
    };
  }

  /** The evaluation of one call with one target under one set of rules. */
  private final class TargetEvaluation {
    private final GateInput gateInput;
    private final Rules rules;
    private final List<Ruling> rulings;

    TargetEvaluation(GateInput gateInput, Rules rules, List<Ruling> rulings) {
      this.gateInput = gateInput;
      this.rules = rules;
      this.rulings = rulings;
    }

    GateOutcome evaluate() {
      long from = nanos.getAsLong();
      VisibilityResult visibilityResult =
          VisibilityGate.evaluate(gateInput.target(), gateInput.targetKind().family(), rules);
      rulings.add(visibilityResult.ruling(microsSince(from)));
      return switch (visibilityResult) {
        case VisibilityResult.Shown(var source, _) -> governance(source);
        case VisibilityResult.Hidden(var reason, var source, _) ->
            denied(
                source,
                new Denied.ToolNotExposed(
                    gateInput.target(), idOf(source), gateInput.targetKind().content()),
                reason);
      };
    }

    private GateOutcome governance(Source source) {
      long from = nanos.getAsLong();
      GovernanceResult governanceResult =
          GovernanceGate.evaluate(
              source.id(),
              source.ownName(gateInput.target()),
              rules.governance(),
              rules.workflows().keySet());
      rulings.add(governanceResult.ruling(microsSince(from)));
      return switch (governanceResult.verdict()) {
        case Verdict.Forward _ -> new GateOutcome.Allowed(source, rulings);
        case Verdict.Ask(var workflow) -> needsApproval(source, workflow);
        case Verdict.Pass _ -> policy(source, governanceResult);
        case Verdict.Deny(var reason, _) ->
            denied(source, ruleDenied(governanceResult.rule()), reason);
      };
    }

    private Fault ruleDenied(@Nullable Rule rule) {
      return rule == null
          ? new Denied.GovernanceRuleDenied(
              gateInput.target(), null, false, gateInput.targetKind().content())
          : new Denied.GovernanceRuleDenied(
              gateInput.target(),
              rule.match().pattern(),
              rule.isPublic(),
              gateInput.targetKind().content());
    }

    private GateOutcome policy(Source source, GovernanceResult governanceResult) {
      Rule rule = governanceResult.rule();
      Ruling.Policy ruling = rules.policies().decide(question(source, governanceResult), nanos);
      rulings.add(ruling);
      return switch (ruling.verdict()) {
        case Verdict.Deny(var reason, _) -> denied(source, policyDenied(ruling), reason);
        case Verdict.Pass _ when rule != null && rule.workflow() != null ->
            needsApproval(source, rule.workflow());
        case Verdict.Pass _, Verdict.Forward _, Verdict.Ask _ ->
            new GateOutcome.Allowed(source, rulings);
      };
    }

    private PolicyQuestion question(Source source, GovernanceResult governanceResult) {
      return new PolicyQuestion(
          gateInput.principal(),
          gateInput.method(),
          gateInput.targetKind().content() == null,
          source.ownName(gateInput.target()),
          source.id(),
          gateInput.arguments(),
          governanceResult.policyId(),
          gateInput.at());
    }

    private Fault policyDenied(Ruling.Policy ruling) {
      List<String> why = ruling.errors().isEmpty() ? ruling.reasons() : ruling.errors();
      return new Denied.PolicyDenied(
          gateInput.target(),
          ruling.policyId(),
          why.isEmpty() ? NO_PERMIT : String.join(", ", why),
          gateInput.targetKind().content());
    }

    private GateOutcome needsApproval(Source source, String name) {
      ApprovalWorkflow approvalWorkflow = rules.workflows().get(name);
      if (approvalWorkflow != null) {
        return new GateOutcome.NeedsApproval(source, approvalWorkflow, rulings);
      }
      rulings.add(
          new Ruling.Approval(
              new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null), name, null, null, 0));
      return denied(source, new Denied.WorkflowNotFound(name), DenialReason.WORKFLOW_NOT_FOUND);
    }

    private GateOutcome denied(@Nullable Source source, Fault fault, DenialReason reason) {
      return new GateOutcome.Denied(source, gateInput.target(), fault, reason, rulings);
    }
  }

  private static @Nullable String idOf(@Nullable Source source) {
    return source == null ? null : source.id();
  }

  private long microsSince(long from) {
    return TimeUnit.NANOSECONDS.toMicros(nanos.getAsLong() - from);
  }
}
