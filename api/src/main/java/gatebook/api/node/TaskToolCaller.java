package gatebook.api.node;

import gatebook.api.flow.ToolCaller;
import gatebook.api.gateway.CallerConnection;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.TaskRun;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls the tools of tasks through the gateway, which is opened after its dialects are wired. */
final class TaskToolCaller implements ToolCaller {
  private volatile @Nullable Gateway gateway;

  void use(Gateway opened) {
    gateway = opened;
  }

  @Override
  public Gateway.OwnCall call(TaskRun taskRun, String params, CallerConnection connection) {
    return Objects.requireNonNull(gateway, "a task runs when the gateway is open")
        .run(taskRun, params, connection);
  }
}
