package gatebook.command.receive;

import gatebook.command.approve.Approval;
import gatebook.command.gate.Asked;
import gatebook.events.ApprovalRequested;
import java.time.Instant;

/** A call that waits for a person, with all that deciding it again takes. */
public record Hold(ReceiveCall call, Asked asked, ApprovalRequested question) {

  /** When it is over, whether somebody decided or not. */
  public Instant due() {
    return Approval.due(question);
  }

  /** Whether its caller comes back for the outcome. */
  public boolean isTask() {
    return question.taskId() != null;
  }
}
