package gatebook.command.gate;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.gate.GovernanceGate.GovernanceResult;
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

    GovernanceResult governanceResult =
        GovernanceGate.evaluate("bank", "pay_all", governance, WORKFLOWS);

    assertThat(governanceResult)
        .isEqualTo(new GovernanceResult(new Verdict.Forward(), Action.FORWARD, first));
    assertThat(governanceResult.ruling(7))
        .isEqualTo(new Ruling.Governance(new Verdict.Forward(), Action.FORWARD, 1, "pay_*", 7));
  }

  @Test
  void aRuleForOtherSourcesIsSkipped() {
    Rule others = rule(1, "*", Action.FORWARD, Set.of("shop"));
    Rule ours = rule(2, "*", Action.DENY, Set.of("bank", "till"));
    Governance governance = new Governance(Action.FORWARD, List.of(others, ours));

    assertThat(GovernanceGate.evaluate("bank", "pay", governance, WORKFLOWS))
        .isEqualTo(
            new GovernanceResult(new Verdict.Deny(DenialReason.RULE, null), Action.DENY, ours));
  }

  @Test
  void withoutAMatchTheDefaultDecides() {
    Rule rule = rule(1, "pay", Action.FORWARD, Set.of());
    Governance governance = new Governance(Action.DENY, List.of(rule));

    GovernanceResult governanceResult =
        GovernanceGate.evaluate("bank", "repay", governance, WORKFLOWS);

    assertThat(governanceResult)
        .isEqualTo(
            new GovernanceResult(
                new Verdict.Deny(DenialReason.DEFAULT_ACTION, null), Action.DENY, null));
    assertThat(governanceResult.ruling(0))
        .isEqualTo(new Ruling.Governance(governanceResult.verdict(), Action.DENY, null, null, 0));
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void onlyRulesThatDenyOrAskSeeOtherSpellings(Action action) {
    Rule rule = rule(1, "file:///etc/*", action, Set.of());
    Governance governance = new Governance(Action.FORWARD, List.of(rule));

    for (String name : List.of("FILE:///etc/x", "file:///a/%2e%2e/etc/x", "file:///ｅｔｃ/x")) {
      assertThat(GovernanceGate.evaluate("s", name, governance, WORKFLOWS).rule())
          .isEqualTo(action == Action.DENY || action == Action.APPROVE ? rule : null);
    }
  }

  @Test
  void anEarlierRuleDecidesAlsoByAnotherSpelling() {
    Rule forwarded = rule(1, "PAY", Action.FORWARD, Set.of());
    Rule asked = rule(2, "p*", Action.APPROVE, Set.of());
    Rule denied = rule(3, "pay", Action.DENY, Set.of());
    Governance governance = new Governance(Action.DENY, List.of(forwarded, asked, denied));

    assertThat(GovernanceGate.evaluate("s", "PAY", governance, WORKFLOWS).rule())
        .isEqualTo(forwarded);
    assertThat(GovernanceGate.evaluate("s", "Pay", governance, WORKFLOWS).rule()).isEqualTo(asked);
  }

  @ParameterizedTest
  @EnumSource(Action.class)
  void everyActionHasItsVerdict(Action action) {
    Governance governance = new Governance(Action.DENY, List.of(rule(1, "*", action, Set.of())));

    assertThat(GovernanceGate.evaluate("bank", "pay", governance, Set.of("ops")).verdict())
        .isEqualTo(
            switch (action) {
              case FORWARD -> new Verdict.Forward();
              case APPROVE -> new Verdict.Ask("ops");
              case DENY -> new Verdict.Deny(DenialReason.RULE, null);
              case POLICY -> new Verdict.Pass();
            });
  }

  @Test
  void theWorkflowIsTheNamedTheOnlyOrTheDefault() {
    Governance named = approving("finance");
    Governance unnamed = approving(null);
    Governance byDefault = new Governance(Action.APPROVE, List.of());

    assertThat(verdict(named, WORKFLOWS)).isEqualTo(new Verdict.Ask("finance"));
    assertThat(verdict(unnamed, Set.of("ops"))).isEqualTo(new Verdict.Ask("ops"));
    assertThat(verdict(byDefault, Set.of("ops"))).isEqualTo(new Verdict.Ask("ops"));
    assertThat(verdict(byDefault, WORKFLOWS)).isEqualTo(new Verdict.Ask("default"));
  }

  @Test
  void policiesSeeTheRulesIdOrTheDefault() {
    Rule rule = new Rule(1, new Glob("*"), Action.POLICY, Set.of(), "limits", null, false);
    Governance byRule = new Governance(Action.DENY, List.of(rule));
    Governance byDefault = new Governance(Action.POLICY, List.of());

    assertThat(GovernanceGate.evaluate("bank", "pay", byRule, WORKFLOWS).policyId())
        .isEqualTo("limits");
    assertThat(GovernanceGate.evaluate("bank", "pay", byDefault, WORKFLOWS).policyId())
        .isEqualTo("default");
  }

  private static Verdict verdict(Governance governance, Set<String> workflows) {
    return GovernanceGate.evaluate("bank", "pay", governance, workflows).verdict();
  }

  private static Governance approving(@Nullable String workflow) {
    Rule rule = new Rule(1, new Glob("*"), Action.APPROVE, Set.of(), null, workflow, false);
    return new Governance(Action.DENY, List.of(rule));
  }

  private static Rule rule(int place, String pattern, Action action, Set<String> sources) {
    return new Rule(place, new Glob(pattern), action, sources, null, null, false);
  }
}
