package gatebook.api.a2a;

import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.CommandSender;
import gatebook.api.gateway.QuerySender;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.GetAgentTaskOwner;
import gatebook.command.call.RecordAgentTask;
import gatebook.command.rules.Rules;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The owners of agents' tasks and contexts as they are journalled. */
final class JournalledTaskOwners implements AgentTaskOwners {
  private final CommandSender commandSender;
  private final QuerySender querySender;
  private final InstantSource clock;

  JournalledTaskOwners(CommandSender commandSender, QuerySender querySender, InstantSource clock) {
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
  public CompletableFuture<CommandResult<Boolean>> record(
      UUID callId, AgentTaskKey key, String principal, Rules rules) {
    return commandSender.send(
        new RecordAgentTask(callId, key, principal, clock.instant()), Boolean.class, rules);
  }
}
