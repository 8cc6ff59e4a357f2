package gatebook.api.flow;

import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.TaskRun;

/** Calls a tool for a task, through the gates. */
@FunctionalInterface
public interface ToolCaller {

  /**
   * Calls the tool.
   *
   * @param params the text of an object with the tool's name and its arguments
   * @param connection reports when the task is cancelled
   */
  Gateway.OwnCall call(TaskRun taskRun, String params, CallerConnection connection);
}
