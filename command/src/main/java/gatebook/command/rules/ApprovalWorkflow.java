package gatebook.command.rules;

import gatebook.events.ApprovalRequested.OnTimeout;
import java.util.List;

/**
 * A workflow for approvals: where a person is asked, for how long, and what happens on a timeout.
 *
 * @param timeoutMillis how long an approval can be decided
 * @param blockingMillis how long a waiting caller is held
 * @param redactFields paths into the arguments that the approver does not see
 */
public record ApprovalWorkflow(
    String name,
    String destination,
    long timeoutMillis,
    long blockingMillis,
    OnTimeout onTimeout,
    List<String> redactFields) {
  public ApprovalWorkflow {
    redactFields = List.copyOf(redactFields);
  }
}
