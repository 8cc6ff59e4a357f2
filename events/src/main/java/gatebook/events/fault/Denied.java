package gatebook.events.fault;

import com.fasterxml.jackson.annotation.JsonValue;
import gatebook.events.call.Gate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call that a gate, or the person it asked, said no to. */
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

  /** What the call would have acted on; absent when it is a tool or a method. */
  @Nullable Content content();

  /** What MCP governs besides tools. */
  enum Content {
    RESOURCE("resource"),
    PROMPT("prompt");

    private final String word;

    Content(String word) {
      this.word = word;
    }

    /** The name outside this program; it never changes. */
    @JsonValue
    public String word() {
      return word;
    }
  }

  /** No source shows the name; {@code source} is absent when none answers for it. */
  record ToolNotExposed(String tool, @Nullable String source, @Nullable Content content)
      implements Denied {

    /** Of a tool. */
    public ToolNotExposed(String tool, @Nullable String source) {
      this(tool, source, null);
    }
  }

  /**
   * A rule, or the default when {@code rule} is absent, denies the call; {@code rulePublic} when
   * the rule's pattern may be told.
   */
  record GovernanceRuleDenied(
      String tool, @Nullable String rule, boolean rulePublic, @Nullable Content content)
      implements Denied {

    /** Of a tool. */
    public GovernanceRuleDenied(String tool, @Nullable String rule, boolean rulePublic) {
      this(tool, rule, rulePublic, null);
    }
  }

  /** The policies forbid the call, or none permits it. */
  record PolicyDenied(
      String tool, @Nullable String policyId, @Nullable String reason, @Nullable Content content)
      implements Denied {

    /** Of a tool. */
    public PolicyDenied(String tool, @Nullable String policyId, @Nullable String reason) {
      this(tool, policyId, reason, null);
    }
  }

  /** A person said no; a decision somebody asked for, and no cause for alarm. */
  record ApprovalRejected(
      String tool,
      @Nullable String rejectedBy,
      @Nullable String reason,
      @Nullable String workflow,
      @Nullable Content content)
      implements Denied {

    /** Of a tool. */
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

  /** Nobody decided in time. */
  record ApprovalTimeout(
      String tool, long timeoutSeconds, @Nullable String workflow, @Nullable Content content)
      implements Denied {

    /** Of a tool. */
    public ApprovalTimeout(String tool, long timeoutSeconds, @Nullable String workflow) {
      this(tool, timeoutSeconds, workflow, null);
    }
  }

  /** The rules name a workflow that is not, or no longer, there. */
  record WorkflowNotFound(String workflow) implements Denied {
    @Override
    public @Nullable Content content() {
      return null;
    }
  }
}
