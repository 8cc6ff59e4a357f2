package gatebook.command.gate;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.gate.GovernanceGate.Governed;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.events.call.Action;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Ruling;
import gatebook.events.call.Verdict;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class GovernanceGateTest {

  private static final Set<String> WORKFLOWS = Set.of("finance", "ops");

  @Test
  void theFirstRuleThatMatchesDecides() {
    Rule first = rule(1, "pay_*", Action.FORWARD, Set.of());
    Rule second = rule(2, "pay_all", Action.DENY, Set.of());
    Governance governance = new Governance(Action.DENY, List.of(first, second));

    Governed governed = GovernanceGate.of("bank", "pay_all", governance, WORKFLOWS);

    assertThat(governed).isEqualTo(new Governed(new Verdict.Forward(), Action.FORWARD, first));
    assertThat(governed.ruling(7))
        .isEqualTo(new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "pay_*", 7));
  }

  @Test
  void aRuleForOtherSourcesIsPassedOver() {
    Rule others = rule(1, "*", Action.FORWARD, Set.of("shop"));
    Rule ours = rule(2, "*", Action.DENY, Set.of("bank", "till"));
    Governance governance = new Governance(Action.FORWARD, List.of(others, ours));

    assertThat(GovernanceGate.of("bank", "pay", governance, WORKFLOWS))
        .isEqualTo(new Governed(new Verdict.Deny(DenialReason.RULE, null), Action.DENY, ours));
  }

  @Test
  void withoutAMatchTheDefaultDecides() {
    Rule rule = rule(1, "pay", Action.FORWARD, Set.of());
    Governance governance = new Governance(Action.DENY, List.of(rule));

    Governed governed = GovernanceGate.of("bank", "repay", governance, WORKFLOWS);

    assertThat(governed)
        .isEqualTo(
            new Governed(new Verdict.Deny(DenialReason.DEFAULT_ACTION, null), Action.DENY, null));
    assertThat(governed.ruling(0))
        .isEqualTo(new Ruling.Governance(governed.verdict(), Action.DENY, null, null, 0));
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyActionHasItsVerdict(Action action) {
    Governance governance = new Governance(Action.DENY, List.of(rule(1, "*", action, Set.of())));

    assertThat(GovernanceGate.of("bank", "pay", governance, Set.of("ops")).verdict())
        .isEqualTo(
            switch (action) {
              case FORWARD -> new Verdict.Forward();
              case APPROVE -> new Verdict.Ask("ops");
              case DENY -> new Verdict.Deny(DenialReason.RULE, null);
              case POLICY -> new Verdict.Pass();
            });
  }

  @Test
  void whoIsAskedIsWhomTheRuleNamesElseTheOnlyOneElseNobodyWhoExists() {
    Governance named = approving("finance");
    Governance unnamed = approving(null);
    Governance byDefault = new Governance(Action.APPROVE, List.of());

    assertThat(asked(named, WORKFLOWS)).isEqualTo(new Verdict.Ask("finance"));
    assertThat(asked(unnamed, Set.of("ops"))).isEqualTo(new Verdict.Ask("ops"));
    assertThat(asked(byDefault, Set.of("ops"))).isEqualTo(new Verdict.Ask("ops"));
    assertThat(asked(byDefault, WORKFLOWS)).isEqualTo(new Verdict.Ask("default"));
  }

  @Test
  void policiesAreToldTheIdOfTheRuleElseTheDefault() {
    Rule rule = new Rule(1, new Glob("*"), Action.POLICY, Set.of(), "limits", null, false);
    Governance byRule = new Governance(Action.DENY, List.of(rule));
    Governance byDefault = new Governance(Action.POLICY, List.of());

    assertThat(GovernanceGate.of("bank", "pay", byRule, WORKFLOWS).policyId()).isEqualTo("limits");
    assertThat(GovernanceGate.of("bank", "pay", byDefault, WORKFLOWS).policyId())
        .isEqualTo("default");
  }

  private static Verdict asked(Governance governance, Set<String> workflows) {
    return GovernanceGate.of("bank", "pay", governance, workflows).verdict();
  }

  private static Governance approving(@Nullable String workflow) {
    Rule rule = new Rule(1, new Glob("*"), Action.APPROVE, Set.of(), null, workflow, false);
    return new Governance(Action.DENY, List.of(rule));
  }

  private static Rule rule(int place, String pattern, Action action, Set<String> sources) {
    return new Rule(place, new Glob(pattern), action, sources, null, null, false);
  }
}
