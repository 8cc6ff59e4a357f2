package gatebook.api.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.policy.CedarPolicies;
import gatebook.command.rules.ApprovalWorkflow;
import gatebook.command.rules.ExposeRules;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Governance;
import gatebook.command.rules.KnownPrincipal;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Principals;
import gatebook.command.rules.RecordRules;
import gatebook.command.rules.RedactionRules;
import gatebook.command.rules.Rules;
import gatebook.command.rules.Source;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalRequested.OnTimeout;
import gatebook.events.call.Action;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.Principal;
import gatebook.events.journal.tree.Sha256;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Rules for tests of the gateway. */
final class RulesFixture {

  static final ApprovalWorkflow WORKFLOW =
      new ApprovalWorkflow("ops", "operator", 600_000, 300_000, OnTimeout.DENY, List.of());
  static final Source SOURCE =
      new Source(
          "scripted",
          Source.Kind.DEMO,
          null,
          "",
          true,
          ExposeRules.ALL,
          Map.of(),
          Source.ForeignErrors.PASS,
          5_000,
          200);

  private RulesFixture() {}

  static Rules rules(GatewayLimits gatewayLimits, KnownPrincipal... principals) {
    return rules(Action.FORWARD, gatewayLimits, principals);
  }

  static Rules rules(Action byDefault, GatewayLimits gatewayLimits, KnownPrincipal... principals) {
    return rules("sha256:1", byDefault, gatewayLimits, principals);
  }

  static Rules rules(
      String hash, Action byDefault, GatewayLimits gatewayLimits, KnownPrincipal... principals) {
    return new Rules(
        hash,
        List.of(SOURCE),
        new Governance(byDefault, List.of()),
        Map.of("ops", WORKFLOW),
        CedarPolicies.NONE,
        List.of(),
        Principals.of(List.of(principals)),
        List.of(),
        List.of(),
        RedactionRules.DEFAULT,
        RecordRules.DEFAULT,
        gatewayLimits);
  }

  static KnownPrincipal principal(String name, String token) {
    return new KnownPrincipal(
        Bytes.of(Sha256.of(token.getBytes(UTF_8))), new Principal(name, List.of("dev"), Map.of()));
  }

  static GatewayLimits limits(int heldPerPrincipalMax, int heldMax) {
    return limits(heldPerPrincipalMax, heldMax, 100, 200, 100);
  }

  static GatewayLimits rate(int ratePerSecond, int rateBurst) {
    return limits(10, 1_000, ratePerSecond, rateBurst, 100);
  }

  static GatewayLimits refusals(int refusalsPerSecondMax) {
    return limits(10, 1_000, 100, 200, refusalsPerSecondMax);
  }

  private static GatewayLimits limits(
      int heldPerPrincipalMax,
      int heldMax,
      int ratePerSecond,
      int rateBurst,
      int refusalsPerSecondMax) {
    return GatewayLimits.DEFAULT
        .with(Limit.HELD_PER_PRINCIPAL_MAX, heldPerPrincipalMax)
        .with(Limit.HELD_MAX, heldMax)
        .with(Limit.RATE_PER_SECOND, ratePerSecond)
        .with(Limit.RATE_BURST, rateBurst)
        .with(Limit.REFUSALS_PER_SECOND_MAX, refusalsPerSecondMax);
  }

  /** The approval request of a call that was received then. */
  static ApprovalRequested approvalRequest(UUID callId, Instant receivedAt, Instant heldUntil) {
    return new ApprovalRequested(
        callId,
        callId,
        null,
        WORKFLOW.name(),
        WORKFLOW.destination(),
        new Digest("k", Bytes.of(new byte[32])),
        receivedAt,
        receivedAt.plusSeconds(600),
        heldUntil,
        WORKFLOW.onTimeout(),
        "sha256:1",
        List.of());
  }
}
