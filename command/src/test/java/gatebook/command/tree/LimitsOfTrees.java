package gatebook.command.tree;

import gatebook.command.GivenTree;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;

/** Limits, and rules, with other limits of trees than the default. */
final class LimitsOfTrees {
  private LimitsOfTrees() {}

  static Rules rules(int treeTasksMax, int treeDepthMax) {
    Rules rest = GivenTree.RULES;
    return new Rules(
        rest.hash(),
        rest.sources(),
        rest.governance(),
        rest.workflows(),
        rest.policies(),
        rest.inspectors(),
        rest.principals(),
        rest.operators(),
        rest.webhooks(),
        rest.redaction(),
        rest.recording(),
        of(treeTasksMax, treeDepthMax));
  }

  static GatewayLimits of(int treeTasksMax, int treeDepthMax) {
    return GatewayLimits.DEFAULT
        .with(Limit.TREE_TASKS_MAX, treeTasksMax)
        .with(Limit.TREE_DEPTH_MAX, treeDepthMax);
  }
}
