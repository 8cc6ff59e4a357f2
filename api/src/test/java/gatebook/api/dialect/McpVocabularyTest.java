package gatebook.api.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.command.call.DialectVersion;
import gatebook.events.call.Dialect;
import gatebook.events.call.ErrorResponse;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Denied;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.Limit;
import gatebook.events.fault.Misdirected.RateLimited;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The errors that a gateway adds to a protocol, as MCP and the daemon share them. */
final class McpVocabularyTest {

  private final ErrorTranslation errorTranslation = new ErrorTranslation(UnaryOperator.identity());

  @Test
  @DisplayName("test_gate1_error_format")
  void hiddenTool() {
    expect(
        new Denied.ToolNotExposed("t", "s"),
        -32015,
        "Tool 't' is not available",
        """
        "gate":"visibility","tool":"t"\
        """);
  }

  @Test
  @DisplayName("test_gate2_error_format")
  void toolDeniedByARule() {
    expect(
        new Denied.GovernanceRuleDenied("t", "t*", true),
        -32014,
        "Tool 't' is denied by governance rules",
        """
        "gate":"governance","tool":"t","details":"Matched rule: t*"\
        """);
  }

  @Test
  @DisplayName("test_gate3_error_format")
  void toolDeniedByPolicies() {
    expect(
        new Denied.PolicyDenied("t", "p", "r"),
        -32003,
        "Policy denied access to tool 't'",
        """
        "gate":"policy","tool":"t"\
        """);
  }

  @Test
  @DisplayName("test_gate4_rejected_format")
  void callRejectedByAnOperator() {
    expect(
        new Denied.ApprovalRejected("t", "alice", null, null),
        -32007,
        "Approval rejected for tool 't'",
        """
        "gate":"approval","tool":"t","details":"Rejected by: alice"\
        """);
  }

  @Test
  @DisplayName("test_gate4_timeout_format")
  void callWithoutADecisionInTime() {
    expect(
        new Denied.ApprovalTimeout("t", 600, null),
        -32008,
        "Approval timeout for tool 't' after 600s",
        """
        "gate":"approval","tool":"t","details":"nobody decided within 600s: ask \
        again"\
        """);
  }

  @Test
  @DisplayName("test_workflow_not_found_format")
  void missingWorkflow() {
    expect(
        new Denied.WorkflowNotFound("w"),
        -32017,
        "Approval workflow 'w' not found",
        """
        "gate":"approval","details":"Check approval.w in config"\
        """);
  }

  @Test
  void rateLimitedCallSaysWhenToRetry() {
    expect(
        new RateLimited(Limit.RATE, 3L),
        -32009,
        "Too many requests",
        """
        "details":"retry after 3s","retry_after":3\
        """);
  }

  private void expect(Fault fault, int code, String message, String data) {
    for (Dialect dialect : List.of(Dialect.MCP, Dialect.DAEMON)) {
      assertThat(errorTranslation.translate(fault, new DialectVersion(dialect, null), "c-1"))
          .isEqualTo(
              new ErrorResponse(
                  dialect,
                  code,
                  message,
                  JsonValue.parse(
                      """
                      {"correlation_id":"c-1",\
                      """
                          + data
                          + "}"),
                  200));
    }
  }
}
