package gatebook.command.rules.file;

import gatebook.command.gate.GovernanceGate;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.events.call.Action;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Warns where a rule on skills of an agent is passed by messages that name no skill: such a message
 * acts on its method alone.
 */
final class SkillRules {
  private static final String SKILLS = "skills/";
  private static final List<String> MESSAGES = List.of("SendMessage", "SendStreamingMessage");

  private SkillRules() {}

  /**
   * Checks the rules.
   *
   * @param agents the ids of the sources that are agents
   * @param patterns of the rules, by their places
   */
  static void check(Governance governance, Set<String> agents, Map<Integer, YamlValue> patterns) {
    for (Rule rule : governance.rules()) {
      Set<String> passed = new TreeSet<>(agents);
      passed.removeIf(agent -> !isFor(rule, agent) || !forwardsMessages(agent, governance));
      YamlValue pattern = patterns.get(rule.place());
      if (rule.action() != Action.FORWARD
          && rule.match().pattern().startsWith(SKILLS)
          && pattern != null
          && !passed.isEmpty()) {
        pattern.warning(
            ("is passed by messages to %s that name no skill: {match: \"Send*Message\", action: %s}"
                    + " closes that, for every message")
                .formatted(YamlValue.listed(passed, "and"), word(rule.action())));
      }
    }
  }

  private static String word(Action action) {
    return action == Action.DENY ? "deny" : "approve";
  }

  private static boolean isFor(Rule rule, String agent) {
    return rule.sources().isEmpty() || rule.sources().contains(agent);
  }

  private static boolean forwardsMessages(String agent, Governance governance) {
    return MESSAGES.stream()
        .map(method -> GovernanceGate.evaluate(agent, method, governance, Set.of()).action())
        .anyMatch(action -> action == Action.FORWARD);
  }
}
