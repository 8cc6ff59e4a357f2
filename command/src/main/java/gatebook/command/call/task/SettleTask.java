package gatebook.command.call.task;

import gatebook.command.call.CallCommand;
import gatebook.command.call.SettleCall;
import java.util.UUID;

/**
 * Settles a task, unless it has ended: decides how it ended, and keeps its result. A task that has
 * ended before is cancelled: its caller may have seen that.
 */
public record SettleTask(String taskId, SettleCall call) implements CallCommand {

  @Override
  public UUID callId() {
    return call.callId();
  }
}
