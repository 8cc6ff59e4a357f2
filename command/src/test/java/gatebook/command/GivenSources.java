package gatebook.command;

import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.CallQuota;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Source.ForeignErrors;
import gatebook.command.rules.Source.Kind;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules and sources given to tests. */
public final class GivenSources {

  public static final ApprovalWorkflow WORKFLOW =
      new ApprovalWorkflow("ops", "operator", 600_000, 300_000, OnTimeout.DENY, List.of());

  private GivenSources() {}

  public static Source source(String id, String prefix, ExposeRules exposeRules) {
    return source(id, Kind.MCP, prefix, true, exposeRules);
  }

  public static Source source(
      String id, Kind kind, String prefix, boolean enabled, ExposeRules exposeRules) {
    return new Source(
        id,
        kind,
        URI.create("http://127.0.0.1:1/" + id),
        prefix,
        enabled,
        exposeRules,
        Map.of(),
        ForeignErrors.PASS,
        5_000,
        30_000);
  }

  public static ExposeRules expose(Exposure exposure, String... patterns) {
    return new ExposeRules(exposure, Stream.of(patterns).map(Glob::new).toList());
  }

  public static Rule rule(int place, String match, Action action, @Nullable String workflow) {
    return new Rule(
        place,
        new Glob(match),
        action,
        Set.of(),
        action == Action.POLICY ? "p" : null,
        workflow,
        false);
  }

  public static Rules rules(List<Source> sources, Rule... rules) {
    return rules("sha256:1", sources, Action.FORWARD, List.of(WORKFLOW), rules);
  }

  public static Rules rules(
      String hash,
      List<Source> sources,
      Action byDefault,
      List<ApprovalWorkflow> workflows,
      Rule... rules) {
    return new Rules(
        hash,
        sources,
        new Governance(byDefault, List.of(rules)),
        workflows.stream().collect(Collectors.toMap(ApprovalWorkflow::name, it -> it)),
        CedarPolicies.NONE,
        List.of(),
        Principals.NONE,
        List.of(),
        List.of(),
        RedactionRules.DEFAULT,
        RecordRules.DEFAULT,
        GatewayLimits.DEFAULT);
  }

  /** The same rules with these quotas. */
  public static Rules withQuotas(Rules rules, CallQuota... quotas) {
    return new Rules(
        rules.hash(),
        rules.sources(),
        rules.governance(),
        rules.workflows(),
        rules.policies(),
        rules.inspectors(),
        rules.principals(),
        rules.operators(),
        rules.webhooks(),
        rules.redaction(),
        rules.recording(),
        rules.limits(),
        List.of(quotas),
        rules.legalHolds(),
        rules.witness(),
        rules.witnesses(),
        rules.checkpoints(),
        rules.observed());
  }
}
