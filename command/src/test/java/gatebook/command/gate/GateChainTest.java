package gatebook.command.gate;

import static gatebook.command.GivenSources.WORKFLOW;
import static gatebook.command.GivenSources.expose;
import static gatebook.command.GivenSources.rule;
import static gatebook.command.GivenSources.rules;
import static gatebook.command.GivenSources.source;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Exposure;
import gatebook.events.call.Principal;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import gatebook.events.fault.Denied;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GateChainTest {

  private static final Source SOURCE = source("s", "", expose(Exposure.BLOCKLIST, "hidden"));
  private static final ApprovalWorkflow LAW =
      new ApprovalWorkflow("law", "operator", 600_000, 300_000, OnTimeout.DENY, List.of());
  private static final Ruling SHOWN =
      new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 0);

  @Test
  void aHiddenNameIsDeniedByTheFirstGate() {
    assertThat(evaluate("hidden", rule(1, "*", Action.DENY, null)))
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "hidden",
                new Denied.ToolNotExposed("hidden", "s"),
                DenialReason.NOT_EXPOSED,
                List.of(
                    new Ruling.Visibility(
                        new Verdict.Deny(DenialReason.NOT_EXPOSED, null),
                        Exposure.BLOCKLIST,
                        "hidden",
                        0))));
  }

  @Test
  void theFirstMatchingRuleDecides() {
    assertThat(
            evaluate(
                "delete_all",
                rule(1, "read_*", Action.FORWARD, null),
                rule(2, "delete_*", Action.DENY, null),
                rule(3, "*", Action.FORWARD, null)))
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "delete_all",
                new Denied.GovernanceRuleDenied("delete_all", "delete_*", false),
                DenialReason.RULE,
                List.of(
                    SHOWN,
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.RULE, null),
                        Action.DENY,
                        2,
                        "delete_*",
                        0))));
  }

  @Test
  void theDefaultDecidesWhenNoRuleMatches() {
    Rules denying = rules("sha256:1", List.of(SOURCE), Action.DENY, List.of());

    assertThat(new GateChain(() -> 0).evaluate(input("read"), denying))
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "read",
                new Denied.GovernanceRuleDenied("read", null, false),
                DenialReason.DEFAULT_ACTION,
                List.of(
                    SHOWN,
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.DEFAULT_ACTION, null),
                        Action.DENY,
                        null,
                        null,
                        0))));
  }

  @Test
  void forwardingSkipsPolicyAndApproval() {
    assertThat(evaluate("read", rule(1, "read", Action.FORWARD, null)))
        .isEqualTo(
            new GateOutcome.Allowed(
                SOURCE,
                List.of(
                    SHOWN,
                    new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read", 0))));
  }

  @Test
  void approvingSkipsPolicy() {
    assertThat(evaluate("deploy", rule(1, "deploy", Action.APPROVE, "ops")))
        .isEqualTo(
            new GateOutcome.NeedsApproval(
                SOURCE,
                WORKFLOW,
                List.of(
                    SHOWN,
                    new Ruling.Governance(
                        new Verdict.Ask("ops"), Action.APPROVE, 1, "deploy", 0))));
  }

  @Test
  void aMissingWorkflowDeniesAtTheApprovalGate() {
    assertThat(evaluate("deploy", rule(1, "deploy", Action.APPROVE, "gone")))
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "deploy",
                new Denied.WorkflowNotFound("gone"),
                DenialReason.WORKFLOW_NOT_FOUND,
                List.of(
                    SHOWN,
                    new Ruling.Governance(new Verdict.Ask("gone"), Action.APPROVE, 1, "deploy", 0),
                    new Ruling.Approval(
                        new Verdict.Deny(DenialReason.WORKFLOW_NOT_FOUND, null),
                        "gone",
                        null,
                        null,
                        0))));
  }

  @Test
  void withoutAPolicyNothingIsPermitted() {
    GateOutcome gateOutcome = evaluate("pay", rule(1, "pay", Action.POLICY, null));

    assertThat(gateOutcome).isInstanceOf(GateOutcome.Denied.class);
    assertThat(((GateOutcome.Denied) gateOutcome).reason())
        .isEqualTo(DenialReason.NO_POLICY_PERMITS);
    assertThat(gateOutcome.rulings().getLast().gate()).isEqualTo(gatebook.events.call.Gate.POLICY);
  }

  @Test
  void eachTargetPassesTheGatesUntilTheFirstDenial() {
    Rule forwarding = rule(1, "read*", Action.FORWARD, null);
    Ruling forwarded = new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read*", 0);
    Ruling hidden =
        new Ruling.Visibility(
            new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.BLOCKLIST, "hidden", 0);

    assertThat(evaluate(List.of("read", "read2"), forwarding))
        .isEqualTo(new GateOutcome.Allowed(SOURCE, List.of(SHOWN, forwarded, SHOWN, forwarded)));
    assertThat(evaluate(List.of("read", "hidden", "read2"), forwarding))
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "hidden",
                new Denied.ToolNotExposed("hidden", "s"),
                DenialReason.NOT_EXPOSED,
                List.of(SHOWN, forwarded, hidden)));
  }

  @Test
  void oneApprovalCoversAllTargets() {
    Rule[] rules = {
      rule(1, "read", Action.FORWARD, null), rule(2, "deploy*", Action.APPROVE, "ops")
    };
    Ruling forwarded = new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read", 0);
    Ruling needsApproval =
        new Ruling.Governance(new Verdict.Ask("ops"), Action.APPROVE, 2, "deploy*", 0);

    assertThat(evaluate(List.of("read", "deploy", "deploy2", "read"), rules))
        .isEqualTo(
            new GateOutcome.NeedsApproval(
                SOURCE,
                WORKFLOW,
                List.of(
                    SHOWN,
                    forwarded,
                    SHOWN,
                    needsApproval,
                    SHOWN,
                    needsApproval,
                    SHOWN,
                    forwarded)));
  }

  @Test
  void targetsWithDifferentWorkflowsAreDenied() {
    Rules two =
        rules(
            "sha256:1",
            List.of(SOURCE),
            Action.FORWARD,
            List.of(WORKFLOW, LAW),
            rule(1, "deploy", Action.APPROVE, "ops"),
            rule(2, "sign", Action.APPROVE, "law"));

    GateOutcome gateOutcome = new GateChain(() -> 0).evaluate(input("deploy", "sign"), two);

    assertThat(gateOutcome)
        .isEqualTo(
            new GateOutcome.Denied(
                SOURCE,
                "sign",
                new Denied.ApprovalRejected(
                    "sign", null, "others are asked about it: ask for it alone", "law"),
                DenialReason.NOT_ASKED,
                gateOutcome.rulings()));
    assertThat(gateOutcome.rulings().getLast())
        .isEqualTo(
            new Ruling.Approval(
                new Verdict.Deny(DenialReason.NOT_ASKED, null), "law", null, null, 0));
  }

  @Test
  void theSameInputGivesTheSameOutcome() {
    Rules rules = rules(List.of(source("t", "x_", ExposeRules.ALL), SOURCE));

    assertThat(new GateChain(() -> 0).evaluate(input("x_a"), rules))
        .isEqualTo(new GateChain(() -> 0).evaluate(input("x_a"), rules));
  }

  private static GateOutcome evaluate(String name, Rule... rules) {
    return new GateChain(() -> 0).evaluate(input(name), rules(List.of(SOURCE), rules));
  }

  private static GateOutcome evaluate(List<String> names, Rule... rules) {
    return new GateChain(() -> 0)
        .evaluate(input(names.toArray(String[]::new)), rules(List.of(SOURCE), rules));
  }

  private static GateInput input(String... names) {
    return new GateInput(
        new Principal("anonymous", List.of(), Map.of()),
        "tools/call",
        names[0],
        GateInput.TargetKind.TOOL,
        null,
        Instant.EPOCH,
        List.of(names).subList(1, names.length));
  }
}
