package gatebook.command.gate;

import static gatebook.command.Given.WORKFLOW;
import static gatebook.command.Given.expose;
import static gatebook.command.Given.rule;
import static gatebook.command.Given.rules;
import static gatebook.command.Given.source;
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
  private static final Ruling SEEN =
      new Ruling.Visibility(new Verdict.Pass(), Exposure.BLOCKLIST, null, 0);

  @Test
  void aHiddenNameIsDeniedAndNoOtherGateIsAsked() {
    assertThat(way("hidden", rule(1, "*", Action.DENY, null)))
        .isEqualTo(
            new GateOutcome.Shut(
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
            way(
                "delete_all",
                rule(1, "read_*", Action.FORWARD, null),
                rule(2, "delete_*", Action.DENY, null),
                rule(3, "*", Action.FORWARD, null)))
        .isEqualTo(
            new GateOutcome.Shut(
                SOURCE,
                "delete_all",
                new Denied.GovernanceRuleDenied("delete_all", "delete_*", false),
                DenialReason.RULE,
                List.of(
                    SEEN,
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

    assertThat(new GateChain(() -> 0).way(asked("read"), denying))
        .isEqualTo(
            new GateOutcome.Shut(
                SOURCE,
                "read",
                new Denied.GovernanceRuleDenied("read", null, false),
                DenialReason.DEFAULT_ACTION,
                List.of(
                    SEEN,
                    new Ruling.Governance(
                        new Verdict.Deny(DenialReason.DEFAULT_ACTION, null),
                        Action.DENY,
                        null,
                        null,
                        0))));
  }

  @Test
  void forwardingSkipsPolicyAndApproval() {
    assertThat(way("read", rule(1, "read", Action.FORWARD, null)))
        .isEqualTo(
            new GateOutcome.Open(
                SOURCE,
                List.of(
                    SEEN,
                    new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read", 0))));
  }

  @Test
  void approvingSkipsPolicy() {
    assertThat(way("deploy", rule(1, "deploy", Action.APPROVE, "ops")))
        .isEqualTo(
            new GateOutcome.Ask(
                SOURCE,
                WORKFLOW,
                List.of(
                    SEEN,
                    new Ruling.Governance(
                        new Verdict.Ask("ops"), Action.APPROVE, 1, "deploy", 0))));
  }

  @Test
  void aWorkflowThatIsNotThereDeniesAtTheGateThatWouldAsk() {
    assertThat(way("deploy", rule(1, "deploy", Action.APPROVE, "gone")))
        .isEqualTo(
            new GateOutcome.Shut(
                SOURCE,
                "deploy",
                new Denied.WorkflowNotFound("gone"),
                DenialReason.WORKFLOW_NOT_FOUND,
                List.of(
                    SEEN,
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
    GateOutcome gateOutcome = way("pay", rule(1, "pay", Action.POLICY, null));

    assertThat(gateOutcome).isInstanceOf(GateOutcome.Shut.class);
    assertThat(((GateOutcome.Shut) gateOutcome).reason()).isEqualTo(DenialReason.NO_POLICY_PERMITS);
    assertThat(gateOutcome.rulings().getLast().gate()).isEqualTo(gatebook.events.call.Gate.POLICY);
  }

  @Test
  void ofSeveralTargetsEachMeetsTheGatesAndTheFirstDenialDecides() {
    Rule forwarding = rule(1, "read*", Action.FORWARD, null);
    Ruling forwarded = new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read*", 0);
    Ruling hidden =
        new Ruling.Visibility(
            new Verdict.Deny(DenialReason.NOT_EXPOSED, null), Exposure.BLOCKLIST, "hidden", 0);

    assertThat(way(List.of("read", "read2"), forwarding))
        .isEqualTo(new GateOutcome.Open(SOURCE, List.of(SEEN, forwarded, SEEN, forwarded)));
    assertThat(way(List.of("read", "hidden", "read2"), forwarding))
        .isEqualTo(
            new GateOutcome.Shut(
                SOURCE,
                "hidden",
                new Denied.ToolNotExposed("hidden", "s"),
                DenialReason.NOT_EXPOSED,
                List.of(SEEN, forwarded, hidden)));
  }

  @Test
  void aPersonIsAskedAboutAllTargetsWhenOneHasToWaitForOne() {
    Rule[] asking = {
      rule(1, "read", Action.FORWARD, null), rule(2, "deploy*", Action.APPROVE, "ops")
    };
    Ruling forwarded = new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "read", 0);
    Ruling asked = new Ruling.Governance(new Verdict.Ask("ops"), Action.APPROVE, 2, "deploy*", 0);

    assertThat(way(List.of("read", "deploy", "deploy2", "read"), asking))
        .isEqualTo(
            new GateOutcome.Ask(
                SOURCE,
                WORKFLOW,
                List.of(SEEN, forwarded, SEEN, asked, SEEN, asked, SEEN, forwarded)));
  }

  @Test
  void whoWouldHaveToAskDifferentPeopleAsksNobody() {
    Rules two =
        rules(
            "sha256:1",
            List.of(SOURCE),
            Action.FORWARD,
            List.of(WORKFLOW, LAW),
            rule(1, "deploy", Action.APPROVE, "ops"),
            rule(2, "sign", Action.APPROVE, "law"));

    GateOutcome gateOutcome = new GateChain(() -> 0).way(asked("deploy", "sign"), two);

    assertThat(gateOutcome)
        .isEqualTo(
            new GateOutcome.Shut(
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
  void theSameFactsAlwaysComeToTheSameWay() {
    Rules rules = rules(List.of(source("t", "x_", ExposeRules.ALL), SOURCE));

    assertThat(new GateChain(() -> 0).way(asked("x_a"), rules))
        .isEqualTo(new GateChain(() -> 0).way(asked("x_a"), rules));
  }

  private static GateOutcome way(String name, Rule... rules) {
    return new GateChain(() -> 0).way(asked(name), rules(List.of(SOURCE), rules));
  }

  private static GateOutcome way(List<String> names, Rule... rules) {
    return new GateChain(() -> 0)
        .way(asked(names.toArray(String[]::new)), rules(List.of(SOURCE), rules));
  }

  private static GateInput asked(String... names) {
    return new GateInput(
        new Principal("anonymous", List.of(), Map.of()),
        "tools/call",
        names[0],
        GateInput.On.TOOL,
        null,
        Instant.EPOCH,
        List.of(names).subList(1, names.length));
  }
}
