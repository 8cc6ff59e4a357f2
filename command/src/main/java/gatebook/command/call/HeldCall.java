package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.events.ApprovalRequested;
import java.time.Instant;

/**
 * A held call: one that waits for an approval, with everything that is needed to decide it again.
 */
public record HeldCall(ReceiveCall call, GateInput gateInput, ApprovalRequested approvalRequest) {

  /** When the wait is over, decided or not. */
  public Instant due() {
    return approvalRequest.due();
  }

  /** Whether its caller gets the outcome later, by a task. */
  public boolean isTask() {
    return approvalRequest.taskId() != null;
  }
}
