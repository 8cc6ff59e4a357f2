package gatebook.command.call;

import gatebook.command.gate.GateInput;
import gatebook.events.ApprovalRequested;
import java.time.Instant;

/** A call that waits for a person, with all that deciding it again takes. */
public record HeldCall(ReceiveCall call, GateInput asked, ApprovalRequested question) {

  /** When it is over, whether somebody decided or not. */
  public Instant due() {
    return ApprovalDecider.due(question);
  }

  /** Whether its caller comes back for the outcome. */
  public boolean isTask() {
    return question.taskId() != null;
  }
}
