package gatebook.api.node;

import gatebook.api.flow.executor.ToolCaller;
import gatebook.api.gateway.Gateway;
import gatebook.api.gateway.OwnCalls;
import gatebook.api.gateway.message.CallerConnection;
import gatebook.api.gateway.message.HoldListener;
import gatebook.api.gateway.message.Reply;
import gatebook.api.gateway.message.TaskRun;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Calls the tools of tasks through the gateway, which is opened after its dialects are wired. */
final class TaskToolCaller implements ToolCaller {
  private volatile @Nullable Gateway gateway;

  void use(Gateway opened) {
    gateway = opened;
  }

  private OwnCalls calls() {
    return Objects.requireNonNull(gateway, "a task runs when the gateway is open").ownCalls();
  }

  @Override
  public UUID nextCallId() {
    return calls().nextId();
  }

  @Override
  public CompletableFuture<Reply> call(
      TaskRun taskRun, String params, CallerConnection connection, HoldListener holdListener) {
    return calls().call(taskRun, params, connection, holdListener);
  }

  @Override
  public CompletableFuture<Reply> await(
      TaskRun taskRun, String heldId, CallerConnection connection, HoldListener holdListener) {
    return calls().await(taskRun, heldId, connection, holdListener);
  }
}
