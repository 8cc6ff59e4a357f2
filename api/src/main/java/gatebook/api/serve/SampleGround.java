package gatebook.api.serve;

import gatebook.api.border.Ground;
import gatebook.api.upstream.DemoSource;
import gatebook.command.policy.Policies;
import gatebook.command.rules.Expose;
import gatebook.command.rules.Glob;
import gatebook.command.rules.Governance;
import gatebook.command.rules.Governance.Rule;
import gatebook.command.rules.Keeping;
import gatebook.command.rules.Limits;
import gatebook.command.rules.Redaction;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.command.rules.Workflow;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.call.Action;
import gatebook.events.call.Exposure;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Provisional. */
final class SampleGround {
  private SampleGround() {}

  static Ground ground() {
    return new Ground(
        new Rules(
            "sha256:sample",
            List.of(
                new Source(
                    "demo",
                    Source.Kind.DEMO,
                    null,
                    "",
                    true,
                    new Expose(
                        Exposure.ALLOWLIST,
                        List.of(
                            new Glob("echo"),
                            new Glob("time"),
                            new Glob("delete_all"),
                            new Glob("transfer"),
                            new Glob("deploy"))),
                    Map.of(),
                    Source.ForeignErrors.PASS,
                    5_000,
                    30_000)),
            new Governance(
                Action.DENY,
                List.of(
                    new Rule(1, new Glob("echo"), Action.FORWARD, Set.of(), null, null, false),
                    new Rule(2, new Glob("time"), Action.FORWARD, Set.of(), null, null, false),
                    new Rule(3, new Glob("delete_*"), Action.DENY, Set.of(), null, null, true),
                    new Rule(4, new Glob("transfer"), Action.POLICY, Set.of(), "p", null, false),
                    new Rule(
                        5, new Glob("deploy"), Action.APPROVE, Set.of(), null, "operator", false))),
            Map.of(
                "operator",
                new Workflow("operator", "operator", 600_000, 600_000, OnTimeout.DENY, List.of())),
            Policies.NONE,
            List.of(),
            List.of(),
            List.of(),
            Redaction.DEFAULT,
            Keeping.DEFAULT,
            Limits.DEFAULT),
        Map.of("demo", new DemoSource(Clock.systemUTC())),
        null);
  }
}
