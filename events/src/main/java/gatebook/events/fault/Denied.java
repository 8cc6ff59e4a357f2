package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Gate;
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

  /** The content that MCP governs besides tools. */
  enum Content {
    RESOURCE("resource"),
    PROMPT("prompt");

    private final String word;

    Content(String word) {
      this.word = word;
    }

    /** The name used outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** No source exposes the name; {@code source} is absent when no source has it. */
  record ToolNotExposed(String tool, @Nullable String source, @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public ToolNotExposed(String tool, @Nullable String source) {
      this(tool, source, null);
    }
  }

  /**
   * A rule, or the default when {@code rule} is absent, denies the call; {@code rulePublic} when
   * the caller may see the rule's pattern.
   */
  record GovernanceRuleDenied(
      String tool, @Nullable String rule, boolean rulePublic, @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public GovernanceRuleDenied(String tool, @Nullable String rule, boolean rulePublic) {
      this(tool, rule, rulePublic, null);
    }
  }

  /** The policies forbid the call, or none permits it. */
  record PolicyDenied(
      String tool, @Nullable String policyId, @Nullable String reason, @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public PolicyDenied(String tool, @Nullable String policyId, @Nullable String reason) {
      this(tool, policyId, reason, null);
    }
  }

  /** A person rejected the call: an expected decision, so it is logged as information. */
  record ApprovalRejected(
      String tool,
      @Nullable String rejectedBy,
      @Nullable String reason,
      @Nullable String workflow,
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
  }

  /** No person decided in time. */
  record ApprovalTimeout(
      String tool, long timeoutSeconds, @Nullable String workflow, @Nullable Content content)
      implements Denied {

    /** A denied call of a tool. */
    public ApprovalTimeout(String tool, long timeoutSeconds, @Nullable String workflow) {
      this(tool, timeoutSeconds, workflow, null);
    }
  }

  /** The rules name a workflow that does not exist, or no longer does. */
  record WorkflowNotFound(String workflow) implements Denied {
    @Override
    public @Nullable Content content() {
      return null;
    }
  }
}
