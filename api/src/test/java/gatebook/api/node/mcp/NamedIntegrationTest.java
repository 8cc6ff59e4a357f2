package gatebook.api.node.mcp;

import static gatebook.api.node.WatchedNode.hash;
import static gatebook.api.node.WatchedNode.toolCall;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.http.Port;
import gatebook.api.http.RawHttp;
import gatebook.api.node.NodeCaller;
import gatebook.api.node.ProvokedCall;
import gatebook.api.node.WatchedNode;
import gatebook.events.CallReceived;
import gatebook.events.ErrorTranslated;
import gatebook.events.call.DenialReason;
import gatebook.events.fault.Denied;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Each gate denies a call over HTTP: response, events, log line and counters of each. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NamedIntegrationTest {

  private static final String DENIED = "CallReceived GateDenied ErrorTranslated";

  private static final String POLICIES =
      """
      permit (principal, action, resource == ThoughtGate::ToolCall::"transfer");
      @id("not-so-much")
      forbid (principal, action, resource == ThoughtGate::ToolCall::"transfer")
      when { resource.arguments has amount && resource.arguments.amount > 100 };
      @id("looks-at-what-is-not-there")
      permit (principal, action, resource == ThoughtGate::ToolCall::"sell")
      when { resource.arguments.amount > 1 };
      """;

  private @Nullable WatchedNode started;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("policies.cedar"), POLICIES);
    started = WatchedNode.start(folder, rules());
  }

  @AfterAll
  void stop() {
    node().close();
  }

  @Test
  @DisplayName("test_gate1_returns_32015")
  void hiddenToolIsUnavailable() throws IOException {
    node()
        .provoke("g1", toolCall("process"))
        .expect(new Denied.ToolNotExposed("process", "tools"), DENIED.split(" "))
        .expectReason(DenialReason.NOT_EXPOSED);
  }

  @Test
  void toolOfADisabledSourceIsUnavailable() throws IOException {
    node()
        .provoke("g1-off", toolCall("closed_echo"))
        .expect(new Denied.ToolNotExposed("closed_echo", "closed"), DENIED.split(" "))
        .expectReason(DenialReason.SOURCE_DISABLED);
  }

  @Test
  @DisplayName("test_gate2_returns_32014")
  void toolDeniedByRuleIsDeniedWithoutNamingTheRule() throws IOException {
    node()
        .provoke("g2", toolCall("delete_all"))
        .expect(new Denied.GovernanceRuleDenied("delete_all", "delete_*", false), DENIED.split(" "))
        .expectReason(DenialReason.RULE);
  }

  @Test
  void publicRuleIsNamedInTheError() throws IOException {
    node()
        .provoke("g2-public", toolCall("drop_table"))
        .expect(new Denied.GovernanceRuleDenied("drop_table", "drop_*", true), DENIED.split(" "))
        .expectReason(DenialReason.RULE);
  }

  @Test
  void unmatchedCallIsDeniedByTheDefault() throws IOException {
    node()
        .provoke("g2-default", toolCall("echo"))
        .expect(new Denied.GovernanceRuleDenied("echo", null, false), DENIED.split(" "))
        .expectReason(DenialReason.DEFAULT_ACTION);
  }

  @Test
  @DisplayName("test_gate3_returns_32003")
  void callForbiddenByPolicyIsDeniedWithoutNamingThePolicy() throws IOException {
    node()
        .provoke("g3", toolCall("transfer", "{\"amount\":101}"))
        .expect(new Denied.PolicyDenied("transfer", "payments", "not-so-much"), DENIED.split(" "))
        .expectReason(DenialReason.POLICY_FORBIDS);
  }

  @Test
  void aCallThatNoPolicyPermitsIsDenied() throws IOException {
    node()
        .provoke("g3-none", toolCall("wish"))
        .expect(
            new Denied.PolicyDenied("wish", "wishes", "no policy permits it"), DENIED.split(" "))
        .expectReason(DenialReason.NO_POLICY_PERMITS);
  }

  @Test
  void callWithAFailingPolicyIsDenied() throws IOException {
    ProvokedCall provokedCall = node().provoke("g3-error", toolCall("sell"));

    provokedCall.expectAnswer("1", new Denied.PolicyDenied("sell", null, null));
    provokedCall.expectReason(DenialReason.POLICY_ERROR);
    assertThat(provokedCall.seen().lines())
        .singleElement()
        .satisfies(line ->
            assertThat(String.valueOf(line.get("reason"))).contains("looks-at-what-is-not-there"));
  }

  @Test
  @DisplayName("test_gate4_reject_returns_32007")
  void rejectedCallIsDeniedInTheOperatorsName() throws IOException {
    Map<String, Double> before = node().counted();
    CompletableFuture<RawHttp.Answer> held = node().hold("g4", toolCall("deploy"));
    node().decide("g4", false, "not on a Friday");

    node()
        .released("g4", held, before)
        .expect(
            new Denied.ApprovalRejected("deploy", "alice", "not on a Friday", "patient"),
            "CallReceived",
            "ApprovalRequested",
            "ApprovalRejected",
            "GateDenied",
            "ErrorTranslated")
        .expectReason(DenialReason.REJECTED);
  }

  @Test
  void notificationNobodyIsAskedAboutIsNotCalledRejected() throws IOException {
    String notification = toolCall("deploy").replace("\"id\":1,", "");

    RawHttp.Answer answer = node().post("/mcp", "unasked", notification.getBytes(UTF_8));

    assertThat(answer.status()).isEqualTo(202);
    assertThat(node().events("unasked").getLast())
        .isInstanceOfSatisfying(
            ErrorTranslated.class,
            error ->
                assertThat(error.told().message())
                    .isEqualTo("Approval needed for tool 'deploy', but it cannot be requested"));
    assertThat(node().lines("unasked"))
        .extracting(line -> line.get("message"))
        .containsExactly("Approval needed, but it cannot be requested");
  }

  @Test
  @DisplayName("test_gate4_timeout_returns_32008")
  void undecidedCallTimesOut() throws IOException {
    Map<String, Double> before = node().counted();

    node()
        .released("late", node().hold("late", toolCall("release")), before)
        .expect(
            new Denied.ApprovalTimeout("release", 5, "hasty"),
            "CallReceived",
            "ApprovalRequested",
            "ApprovalTimedOut",
            "GateDenied",
            "ErrorTranslated")
        .expectReason(DenialReason.TIMED_OUT);
  }

  @Test
  @DisplayName("EC-ERR-004")
  void missingCorrelationIdIsGenerated() throws IOException {
    RawHttp.Answer answer =
        node()
            .send(
                Port.CALLERS,
                "/mcp",
                toolCall("process").getBytes(UTF_8),
                "Content-Type: application/json");

    CallReceived received =
        node().events().stream()
            .filter(CallReceived.class::isInstance)
            .map(CallReceived.class::cast)
            .filter(it -> it.correlationId().equals(it.callId().toString()))
            .findFirst()
            .orElseThrow();
    assertThat(answer.headers()).contains("x-correlation-id: " + received.correlationId());
    assertThat(answer.body())
        .contains(
            """
            "data":{"correlation_id":"%s",\
            """
                .formatted(received.correlationId()));
    assertThat(node().seen(received.correlationId(), answer).lines()).hasSize(1);
  }

  @Test
  @DisplayName("EC-ERR-005")
  void firstOfSeveralDenyingGatesDenies() throws IOException {
    node()
        .provoke("first", toolCall("delete_hidden_things"))
        .expect(new Denied.ToolNotExposed("delete_hidden_things", "tools"), DENIED.split(" "))
        .expectReason(DenialReason.NOT_EXPOSED);
  }

  private static String rules() {
    return """
    schema: 1
    sources:
      - {id: tools, kind: demo, expose: {mode: blocklist, tools: [process, "delete_hidden*"]}}
      - {id: closed, kind: demo, prefix: closed_, enabled: false}
    governance:
      defaults: {action: deny}
      rules:
        - {match: "delete_*", action: deny}
        - {match: "drop_*", action: deny, public: true}
        - {match: transfer, action: policy, policy_id: payments}
        - {match: sell, action: policy, policy_id: sales}
        - {match: wish, action: policy, policy_id: wishes}
        - {match: deploy, action: approve, approval: patient}
        - {match: release, action: approve, approval: hasty}
    approval:
      patient: {timeout: 10m}
      hasty: {timeout: 5s}
    cedar: {policies: [policies.cedar]}
    operators:
      - {name: alice, token_hash: "%s", roles: [approve]}
    """
        .formatted(hash(NodeCaller.ALICE));
  }

  private WatchedNode node() {
    return Objects.requireNonNull(started);
  }
}
