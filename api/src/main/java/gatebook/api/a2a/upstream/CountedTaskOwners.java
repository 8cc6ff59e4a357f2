package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aMeters.StoreResult;
import gatebook.api.a2a.message.AgentTaskOwners;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Owners of agents' tasks whose reads and records are counted. */
public record CountedTaskOwners(AgentTaskOwners delegate, A2aMeters meters)
    implements AgentTaskOwners {

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules) {
    return counted(
        delegate.find(key, principal, rules),
        StoreOperation.GET,
        owner -> AgentTaskOwners.mayName(key, owner),
        StoreResult.NOT_FOUND);
  }

  @Override
  public AgentTaskOwners uncounted() {
    return delegate;
  }

  /** A task is created when a message gets it; that the owner of one is the same is no creation. */
  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules) {
    boolean isCreation = message != null && key.taskId() != null;
    return delegate
        .record(callId, key, message, principal, rules)
        .whenComplete((result, _) -> {
          StoreResult stored =
              result(result, GetAgentTaskOwner.Result::isOwned, StoreResult.CONFLICT);
          if (isCreation || stored != StoreResult.SUCCESS) {
            meters.count(StoreOperation.CREATE, stored);
          }
        });
  }

  /** Counts nothing: the task that is found is read and counted then. */
  @Override
  public CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
      String agent, IdentifiedMessage message, String principal, Rules rules) {
    return delegate.sent(agent, message, principal, rules);
  }

  @Override
  public CompletableFuture<CommandResult<TaskStatus>> status(
      TaskId task, String principal, Rules rules) {
    return counted(
        delegate.status(task, principal, rules),
        StoreOperation.GET,
        TaskStatus.Known.class::isInstance,
        StoreResult.NOT_FOUND);
  }

  /** No task of an agent yet is a success. */
  @Override
  public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules) {
    return counted(
        delegate.agentTask(agent, heldTask, principal, rules),
        StoreOperation.GET,
        _ -> true,
        StoreResult.NOT_FOUND);
  }

  private <R> CompletableFuture<CommandResult<R>> counted(
      CompletableFuture<CommandResult<R>> pending,
      StoreOperation operation,
      Predicate<R> isSuccess,
      StoreResult otherwise) {
    return pending.whenComplete(
        (result, _) -> meters.count(operation, result(result, isSuccess, otherwise)));
  }

  private static <R> StoreResult result(
      @Nullable CommandResult<R> result, Predicate<R> isSuccess, StoreResult otherwise) {
    return result instanceof CommandResult.Stored<R>(var outcome)
        ? (isSuccess.test(outcome) ? StoreResult.SUCCESS : otherwise)
        : StoreResult.ERROR;
  }
}
