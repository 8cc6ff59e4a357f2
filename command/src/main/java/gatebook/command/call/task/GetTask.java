package gatebook.command.call.task;

import gatebook.command.call.CallQuery;
import gatebook.command.call.TaskId;
import java.time.Instant;
import java.util.UUID;

/**
 * Gets the status of a task for its caller.
 *
 * @param principal name of the caller that asks
 */
public record GetTask(TaskId task, String principal, String rulesHash, Instant at)
    implements CallQuery {

  @Override
  public UUID callId() {
    return task.callId();
  }
}
