package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.AgentTaskOwners;
import gatebook.api.a2a.message.AgentTaskOwners.AnsweredTask;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CommandResult.Refused;
import gatebook.api.gateway.message.CommandResult.Stored;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.RecordAgentTask;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The owners of agents' tasks and contexts as they are journalled. */
public final class JournalledTaskOwners implements AgentTaskOwners {
  private final CommandSender commandSender;
  private final QuerySender querySender;
  private final InstantSource clock;

  public JournalledTaskOwners(
      CommandSender commandSender, QuerySender querySender, InstantSource clock) {
    this.commandSender = commandSender;
    this.querySender = querySender;
    this.clock = clock;
  }

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules) {
    return querySender.send(
        new GetAgentTaskOwner(key, principal), GetAgentTaskOwner.Result.class, rules);
  }

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules) {
    return commandSender.send(
        new RecordAgentTask(callId, key, principal, clock.instant(), message, rules.hash()),
        GetAgentTaskOwner.Result.class,
        rules);
  }

  @Override
  public CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
      String agent, IdentifiedMessage message, String principal, Rules rules) {
    return querySender.send(
        new FindSentMessage(
            new SentMessageKey(principal, agent, message.messageId()),
            message.content(),
            rules.hash(),
            clock.instant()),
        FindSentMessage.Result.class,
        rules);
  }

  @Override
  public CompletableFuture<CommandResult<TaskStatus>> status(
      TaskId task, String principal, Rules rules) {
    return querySender.send(
        new GetTask(task, principal, rules.hash(), clock.instant()), TaskStatus.class, rules);
  }

  @Override
  public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules) {
    return status(heldTask, principal, rules)
        .thenCompose(found ->
            switch (found) {
              case CommandResult.Refused<TaskStatus>(var refusal) -> done(new Refused<>(refusal));
              case CommandResult.Stored<TaskStatus>(var status) ->
                  AgentAnswerIds.answered(status)
                      .map(task -> ifOwned(task, agent, principal, rules))
                      .orElseGet(() -> done(new Stored<>(Optional.empty())));
            });
  }

  /** An id that hides behind another one in the answer was not recorded. */
  private CompletableFuture<CommandResult<Optional<AnsweredTask>>> ifOwned(
      AnsweredTask task, String agent, String principal, Rules rules) {
    return find(new AgentTaskKey(agent, task.agentId(), null), principal, rules)
        .thenApply(found ->
            switch (found) {
              case CommandResult.Refused<GetAgentTaskOwner.Result>(var refusal) ->
                  new Refused<>(refusal);
              case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) ->
                  new Stored<>(owner.isOwned() ? Optional.of(task) : Optional.empty());
            });
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
