package gatebook.api.a2a.message;

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

/** The owners of agents' tasks and contexts. */
public interface AgentTaskOwners {

  /** Who owns the ids of the key. */
  CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules);

  /**
   * Whether a principal may name the ids of the key to the agent: agents give tasks their ids, and
   * clients may give one to a new context.
   */
  static boolean mayName(AgentTaskKey key, GetAgentTaskOwner.Result owner) {
    return owner.isOwned() || (key.taskId() == null && !owner.isForeign());
  }

  /** The same owners, whose reads and records nobody counts. */
  default AgentTaskOwners uncounted() {
    return this;
  }

  /**
   * Records that a principal owns the ids of the key, unless that is recorded. When one of them is
   * another's, nothing is recorded.
   */
  CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules);

  /** The task of a message to an agent, if it was sent before. The outcome may be refused. */
  CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
      String agent, IdentifiedMessage message, String principal, Rules rules);

  /** The status of a principal's task here, such as a held message. The outcome may be refused. */
  CompletableFuture<CommandResult<TaskStatus>> status(TaskId task, String principal, Rules rules);

  /**
   * The task of an agent that a held message became.
   *
   * @param agentId the agent's own id
   * @param agentContext the agent's own context; absent when the answer had none
   * @param heldContext that the sender was told while the message was held
   */
  record AnsweredTask(String agentId, @Nullable String agentContext, String heldContext) {}

  /**
   * The task of an agent which a held message of a principal became; empty while the agent has
   * answered with none, or when the task is not there. The outcome may be refused.
   */
  CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules);
}
