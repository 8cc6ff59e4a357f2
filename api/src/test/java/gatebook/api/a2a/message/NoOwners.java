package gatebook.api.a2a.message;

import gatebook.api.a2a.message.AgentTaskOwners.AnsweredTask;
import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** No owners: nobody has a task of an agent, and everybody may get one. */
public final class NoOwners implements AgentTaskOwners {
  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules) {
    return CompletableFuture.completedFuture(
        new CommandResult.Stored<>(new GetAgentTaskOwner.Result(false, false)));
  }

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules) {
    return CompletableFuture.completedFuture(
        new CommandResult.Stored<>(new GetAgentTaskOwner.Result(true, false)));
  }

  @Override
  public CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
      String agent, IdentifiedMessage message, String principal, Rules rules) {
    return CompletableFuture.completedFuture(
        new CommandResult.Stored<>(new FindSentMessage.Result.None()));
  }

  @Override
  public CompletableFuture<CommandResult<TaskStatus>> status(
      TaskId task, String principal, Rules rules) {
    return CompletableFuture.completedFuture(new CommandResult.Stored<>(new TaskStatus.Unknown()));
  }

  @Override
  public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules) {
    return CompletableFuture.completedFuture(new CommandResult.Stored<>(Optional.empty()));
  }
}
