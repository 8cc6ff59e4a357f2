package gatebook.events.fault;

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

  /** No source shows the name; {@code source} is absent when none answers for it. */
  record ToolNotExposed(String tool, @Nullable String source) implements Denied {}

  /**
   * A rule, or the default when {@code rule} is absent, denies the call; {@code rulePublic} when
   * the rule's pattern may be told.
   */
  record GovernanceRuleDenied(String tool, @Nullable String rule, boolean rulePublic)
      implements Denied {}

  /** The policies forbid the call, or none permits it. */
  record PolicyDenied(String tool, @Nullable String policyId, @Nullable String reason)
      implements Denied {}

  /** A person said no; a decision somebody asked for, and no cause for alarm. */
  record ApprovalRejected(
      String tool, @Nullable String rejectedBy, @Nullable String reason, @Nullable String workflow)
      implements Denied {
    @Override
    public Severity severity() {
      return Severity.INFO;
    }
  }

  /** Nobody decided in time. */
  record ApprovalTimeout(String tool, long timeoutSeconds, @Nullable String workflow)
      implements Denied {}

  /** The rules name a workflow that is not, or no longer, there. */
  record WorkflowNotFound(String workflow) implements Denied {}
}
