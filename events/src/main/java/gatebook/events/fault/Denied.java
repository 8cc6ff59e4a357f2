package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Erasable;
import gatebook.events.call.Gate;
import gatebook.events.call.Word;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call denied by a gate, or by the person it asked. */
public sealed interface Denied extends ClientFault {

  @Override
  default Optional<Gate> gate() {
    return Optional.of(
        switch (this) {
          case ToolNotExposed _ -> Gate.VISIBILITY;
          case GovernanceRuleDenied _ -> Gate.GOVERNANCE;
          case PolicyDenied _ -> Gate.POLICY;
          case ApprovalRejected _, ApprovalTimeout _, WorkflowNotFound _ -> Gate.APPROVAL;
        });
  }

  /** The kind of content that the call names; absent when it names a tool or a method. */
  @Nullable Content content();

  /** The kind of what the call names, in a word. */
  default String kindOfTarget() {
    Content content = content();
    return content == null ? "tool" : content.word();
  }

  /** The content that MCP governs besides tools. */
  enum Content implements Word {
    RESOURCE("resource"),
    PROMPT("prompt");

    private final String word;

    Content(String word) {
      this.word = word;
    }

    @Override
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** No source exposes the name; {@code source} is absent when no source has it. */
  record ToolNotExposed(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField("source") @Nullable String source,
      @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public ToolNotExposed(String tool, @Nullable String source) {
      this(tool, source, null);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("%s is not available", kindOfTarget(), tool);
    }
  }

  /**
   * A rule, or the default when {@code rule} is absent, denies the call; {@code rulePublic} when
   * the caller may see the rule's pattern.
   */
  record GovernanceRuleDenied(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField("rule") @Nullable String rule,
      boolean rulePublic,
      @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public GovernanceRuleDenied(String tool, @Nullable String rule, boolean rulePublic) {
      this(tool, rule, rulePublic, null);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("%s is denied by governance rules", kindOfTarget(), tool)
          .details(rulePublic && rule != null ? "Matched rule: " + rule : null);
    }
  }

  /** The policies forbid the call, or none permits it. */
  record PolicyDenied(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField("policy_id") @Nullable String policyId,
      @Erasable @FromCaller @LogField("reason") @Nullable String reason,
      @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public PolicyDenied(String tool, @Nullable String policyId, @Nullable String reason) {
      this(tool, policyId, reason, null);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Policy denied access to %s", kindOfTarget(), tool);
    }

    @Override
    public String logMessage() {
      return "Cedar policy denied";
    }
  }

  /** A person rejected the call: an expected decision, so it is logged as information. */
  record ApprovalRejected(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField("rejected_by") @Nullable String rejectedBy,
      @Erasable @FromCaller @LogField("reason") @Nullable String reason,
      @LogField("workflow") @Nullable String workflow,
      @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public ApprovalRejected(
        String tool,
        @Nullable String rejectedBy,
        @Nullable String reason,
        @Nullable String workflow) {
      this(tool, rejectedBy, reason, workflow, null);
    }

    @Override
    public Severity severity() {
      return Severity.INFO;
    }

    @Override
    public PublicFault shown() {
      return rejectedBy == null
          ? PublicFault.of(
              "Approval needed for %s, but it cannot be requested", kindOfTarget(), tool)
          : PublicFault.of("Approval rejected for %s", kindOfTarget(), tool)
              .details("Rejected by: " + rejectedBy);
    }

    @Override
    public String logMessage() {
      return rejectedBy == null
          ? "Approval needed, but it cannot be requested"
          : Denied.super.logMessage();
    }
  }

  /** No person decided in time. */
  record ApprovalTimeout(
      @FromCaller @LogField(LogField.TARGET) String tool,
      @LogField("timeout_secs") long timeoutSeconds,
      @LogField("workflow") @Nullable String workflow,
      @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public ApprovalTimeout(String tool, long timeoutSeconds, @Nullable String workflow) {
      this(tool, timeoutSeconds, workflow, null);
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of(
              "Approval timeout for %s after " + timeoutSeconds + "s", kindOfTarget(), tool)
          .details("nobody decided within %ds: ask again".formatted(timeoutSeconds));
    }
  }

  /** The rules name a workflow that does not exist, or no longer does. */
  record WorkflowNotFound(@LogField("workflow") String workflow) implements Denied {
    @Override
    public @Nullable Content content() {
      return null;
    }

    @Override
    public PublicFault shown() {
      return PublicFault.of("Approval workflow '%s' not found".formatted(workflow))
          .details("Check approval.%s in config".formatted(workflow));
    }
  }
}
