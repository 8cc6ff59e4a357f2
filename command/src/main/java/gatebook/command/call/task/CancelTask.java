package gatebook.command.call.task;

import gatebook.command.call.CallCommand;
import java.util.UUID;

/** Cancels a task on behalf of its caller, unless it has ended. */
public record CancelTask(GetTask lookup) implements CallCommand {

  @Override
  public UUID callId() {
    return lookup.callId();
  }
}
