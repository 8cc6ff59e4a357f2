package gatebook.api.a2a;

import gatebook.api.a2a.AgentTaskOwners.AnsweredTask;
import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.CommandResult.Stored;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.FindSentMessage;
import gatebook.command.call.GetAgentTaskOwner;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.TaskId;
import gatebook.command.rules.Rules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owners of agents' tasks, cached for the most recently used ids. The first owner of an id stays
 * its owner, so an entry stays true as long as the journal exists. Misses are not cached.
 */
final class RememberedTaskOwners implements AgentTaskOwners {

  /** The number of cached ids: some MiB when all have the greatest length. */
  private static final int IDS_MAX = 10_000;

  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final AgentTaskOwners delegate;
  private final int idsMax;
  private final SequencedMap<AgentTaskKey, String> principals =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

  RememberedTaskOwners(AgentTaskOwners delegate) {
    this(delegate, IDS_MAX);
  }

  /** Remembers at most {@code idsMax} ids of tasks and contexts. */
  RememberedTaskOwners(AgentTaskOwners delegate, int idsMax) {
    this.delegate = delegate;
    this.idsMax = idsMax;
  }

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules) {
    if (isRemembered(key, principal)) {
      return CompletableFuture.completedFuture(
          new Stored<>(new GetAgentTaskOwner.Result(true, false)));
    }
    return remembered(
        delegate.find(key, principal, rules), key, principal, GetAgentTaskOwner.Result::isOwned);
  }

  /** With a message it is always recorded: the journal then has the message's task, too. */
  @Override
  public CompletableFuture<CommandResult<Boolean>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules) {
    if (message == null && isRemembered(key, principal)) {
      return CompletableFuture.completedFuture(new Stored<>(true));
    }
    return remembered(
        delegate.record(callId, key, message, principal, rules),
        key,
        principal,
        isOwned -> isOwned);
  }

  private <R> CompletableFuture<CommandResult<R>> remembered(
      CompletableFuture<CommandResult<R>> pending,
      AgentTaskKey key,
      String principal,
      Predicate<R> isOwned) {
    return pending.thenApply(result -> {
      if (result instanceof Stored<R>(var outcome) && isOwned.test(outcome)) {
        remember(key, principal);
      }
      return result;
    });
  }

  @Override
  public CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
      String agent, IdentifiedMessage message, String principal, Rules rules) {
    return delegate.sent(agent, message, principal, rules);
  }

  @Override
  public CompletableFuture<CommandResult<Boolean>> hasTask(
      TaskId task, String principal, Rules rules) {
    return delegate.hasTask(task, principal, rules);
  }

  @Override
  public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules) {
    return delegate.agentTask(agent, heldTask, principal, rules);
  }

  private synchronized boolean isRemembered(AgentTaskKey key, String principal) {
    List<AgentTaskKey> ids = ids(key);
    return !ids.isEmpty() && ids.stream().allMatch(id -> principal.equals(principals.get(id)));
  }

  private synchronized void remember(AgentTaskKey key, String principal) {
    ids(key).forEach(id -> principals.put(id, principal));
    while (principals.size() > idsMax) {
      principals.pollFirstEntry();
    }
  }

  /** A key for each id: a task may be asked for with its context and without. */
  private static List<AgentTaskKey> ids(AgentTaskKey key) {
    return Stream.of(
            new AgentTaskKey(key.source(), key.taskId(), null),
            new AgentTaskKey(key.source(), null, key.contextId()))
        .filter(id -> id.taskId() != null || id.contextId() != null)
        .toList();
  }
}
