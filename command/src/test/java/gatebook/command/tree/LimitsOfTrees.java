package gatebook.command.tree;

import gatebook.command.GivenTree;
import gatebook.command.rules.GatewayLimits;
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
    GatewayLimits rest = GatewayLimits.DEFAULT;
    return new GatewayLimits(
        rest.bodyBytesMax(),
        rest.depthMax(),
        rest.headerBytesMax(),
        rest.readMillisMax(),
        rest.connectMillisMax(),
        rest.answerMillisMax(),
        rest.answerBytesMax(),
        rest.heldPerPrincipalMax(),
        rest.heldMax(),
        rest.ratePerSecond(),
        rest.rateBurst(),
        rest.refusalsPerSecondMax(),
        rest.viewLagEventsMax(),
        rest.tailReadersMax(),
        rest.tailStalledMillisMax(),
        rest.streamsMax(),
        rest.streamMillisMax(),
        rest.streamStalledMillisMax(),
        rest.sessionsMax(),
        rest.sessionIdleMillisMax(),
        rest.heldAnswerMillisMax(),
        rest.heldAwayMillisMax(),
        rest.taskMillisMax(),
        rest.taskKeptMillis(),
        rest.taskParamsBytesMax(),
        rest.listenResourcesMax(),
        rest.sourceTasksMax(),
        rest.inputRoundsMax(),
        treeTasksMax,
        treeDepthMax,
        rest.treeTasksRunningMax(),
        rest.treeTasksRunningPerTreeMax(),
        rest.treesOpenPerPrincipalMax(),
        rest.treeInputsBytesMax(),
        rest.treeDefinitionBytesMax(),
        rest.treeResultBytesMax(),
        rest.treeStreamSecondsMax(),
        rest.treeWebhookTimeoutSecondsMax(),
        rest.treeWebhookRetriesMax(),
        rest.schemaBytesMax(),
        rest.schemaDepthMax(),
        rest.schemaStepsMax(),
        rest.toolListMillisMax(),
        rest.agentCardWaitMillisMax(),
        rest.agentStreamKeepAliveMillis(),
        rest.agentMessageKeptMillis(),
        rest.agentCardMillisMax(),
        rest.agentCardBytesMax(),
        rest.agentStreamItemsMax(),
        rest.agentStreamBytesMax(),
        rest.agentStreamIdleMillisMax(),
        rest.agentMessageMillisMax(),
        rest.agentRequestIdsMax(),
        rest.consoleSessionIdleMinutesMax(),
        rest.consoleSessionMinutesMax(),
        rest.consoleSessionsMax(),
        rest.consoleLinkSecondsMax(),
        rest.consoleRefusalsPerMinuteMax(),
        rest.inFlightHeapPercentMax());
  }
}
