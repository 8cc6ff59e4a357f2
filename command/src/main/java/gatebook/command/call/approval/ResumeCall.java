package gatebook.command.call.approval;

import gatebook.command.call.CallCommand;
import gatebook.command.call.HeldCall;
import java.time.Instant;
import java.util.UUID;

/**
 * Resumes a held call, if it may go on now.
 *
 * @param rulesHash of the rules in force now, which may differ from those under which it was held
 */
public record ResumeCall(HeldCall heldCall, String rulesHash, Instant at) implements CallCommand {

  @Override
  public UUID callId() {
    return heldCall.call().callId();
  }
}
