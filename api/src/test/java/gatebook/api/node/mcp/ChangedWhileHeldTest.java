package gatebook.api.node.mcp;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;

import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.events.call.DenialReason;
import gatebook.events.call.Gate;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.Withheld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Held calls whose rules change, and the limits of held calls. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ChangedWhileHeldTest {

  private static final String BOB = "Authorization: Bearer bob-0123456789";
  private static final String[] WITHHELD = {
    "CallReceived", "ApprovalRequested", "ApprovalGranted", "ErrorTranslated"
  };

  private @Nullable WatchedNode started;
  private @Nullable CompletableFuture<RawHttp.Answer> freed;
  private @Nullable CompletableFuture<RawHttp.Answer> forbidden;
  private @Nullable CompletableFuture<RawHttp.Answer> moved;
  private @Nullable ProvokedCall orphaned;
  private @Nullable ProvokedCall beyondOwnQuota;
  private @Nullable ProvokedCall beyondTotalQuota;
  private String rulesThen = "";
  private String rulesNow = "";

  private static String rules(String source, String pay, String workflow, String governed) {
    return """
    schema: 1
    sources:
      - {id: demo, kind: demo}
      - {id: %s, kind: demo, prefix: moving_}
    governance:
      defaults: {action: forward}
      rules:
        - {match: old_way, action: approve, approval: %s}
        - {match: deploy, action: %s, approval: people}
        - {match: transfer, action: policy, policy_id: payments, approval: people}
        - {match: echo, action: approve, approval: people}
    approval:
      people: {timeout: 10m}
      %s: {timeout: 10m}
    cedar: {policies: [%s.cedar]}
    principals: [{name: bob, token_hash: "%s"}]
    operators: [{name: alice, token_hash: "%s", roles: [approve]}]
    limits: {held_max: 5, held_per_principal_max: 4}
    """
        .formatted(
            source,
            workflow,
            governed,
            workflow,
            pay,
            hash("bob-0123456789"),
            hash(NodeCaller.ALICE));
  }

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("open.cedar"), "permit (principal, action, resource);");
    Files.writeString(folder.resolve("shut.cedar"), "forbid (principal, action, resource);");
    started = WatchedNode.start(folder, rules("here", "open", "leaving", "approve"));
    CompletableFuture<RawHttp.Answer> leaving = node().hold("orphaned", toolCall("old_way"));
    freed = node().hold("freed", toolCall("deploy"));
    forbidden = node().hold("forbidden", toolCall("transfer"));
    moved = node().hold("moved", toolCall("moving_echo"));
    rulesThen = node().rulesHash();
    fillTheQuota();

    Map<String, Double> before = node().counted();
    node().change("gatebook.yaml", rules("there", "shut", "coming", "forward"));
    orphaned = node().released("orphaned", leaving, before);
    rulesNow = node().rulesHash();
  }

  /** Fills the quota, then calls once more as the same principal and as another. */
  private void fillTheQuota() throws IOException {
    beyondOwnQuota = node().provoke("own-seats", toolCall("deploy"));
    CompletableFuture<RawHttp.Answer> last = node().hold("last", toolCall("deploy"), BOB);
    beyondTotalQuota = node().provoke("all-seats", toolCall("deploy"), BOB);
    node().decide("last", false, "it was the last");
    last.join();
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  void removedWorkflowIsNamedInTheError() {
    Objects.requireNonNull(orphaned)
        .expect(
            new Denied.WorkflowNotFound("leaving"),
            "CallReceived",
            "ApprovalRequested",
            "GateDenied",
            "ErrorTranslated")
        .expectReason(DenialReason.WORKFLOW_NOT_FOUND);
  }

  @Test
  void approvedCallDeniedByChangedRuleIsNotForwarded() throws IOException {
    expectDrift("freed", freed, "deploy", Gate.GOVERNANCE);
  }

  @Test
  void approvedCallForbiddenByChangedPolicyIsNotForwarded() throws IOException {
    expectDrift("forbidden", forbidden, "transfer", Gate.POLICY);
  }

  @Test
  void approvedCallOfAnotherSourceIsNotForwarded() throws IOException {
    granted("moved", moved).expect(new Withheld.TransformDrift("moving_echo", null), WITHHELD);
  }

  @Test
  void principalWithTooManyHeldCallsIsRateLimited() {
    Objects.requireNonNull(beyondOwnQuota)
        .expect(
            new RateLimited(Limit.HELD_CALLS, null),
            "CallReceived",
            "CallAdmitted",
            "ErrorTranslated");
  }

  @Test
  void fullNodeRefusesFurtherHeldCalls() {
    Objects.requireNonNull(beyondTotalQuota)
        .expect(
            new ServiceUnavailable(Cause.HELD_CALLS_FULL, null),
            "CallReceived",
            "CallAdmitted",
            "ErrorTranslated");
  }

  private void expectDrift(
      String correlationId,
      @Nullable CompletableFuture<RawHttp.Answer> held,
      String tool,
      Gate changedAt)
      throws IOException {
    granted(correlationId, held)
        .expect(new Withheld.PolicyDrift(tool, null, changedAt, rulesThen, rulesNow), WITHHELD);
  }

  private ProvokedCall granted(
      String correlationId, @Nullable CompletableFuture<RawHttp.Answer> held) throws IOException {
    Map<String, Double> before = node().counted();
    node().decide(correlationId, true, "go on");
    return node().released(correlationId, Objects.requireNonNull(held), before);
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
