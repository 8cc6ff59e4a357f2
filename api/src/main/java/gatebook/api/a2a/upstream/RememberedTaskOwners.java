package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.AgentTaskOwners;
import gatebook.api.a2a.message.AgentTaskOwners.AnsweredTask;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.gateway.message.CommandResult.Stored;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.FindSentMessage;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.ToldIds;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Owners of agents' tasks, cached for the most recently used ids. The first owner of an id stays
 * its owner, so an entry stays true as long as the journal exists. Misses are not cached.
 */
public final class RememberedTaskOwners implements AgentTaskOwners {

  /** The number of cached ids: some MiB when all have the greatest length. */
  private static final int IDS_MAX = 10_000;

  private static final int INITIAL_CAPACITY = 16;
  private static final float LOAD_FACTOR = 0.75f;

  private final AgentTaskOwners delegate;
  private final int idsMax;
  private final SequencedMap<AgentTaskKey, KnownOwner> known =
      new LinkedHashMap<>(INITIAL_CAPACITY, LOAD_FACTOR, true);

  /** The owner of one id, and what it was told instead. */
  private record KnownOwner(String principal, GetAgentTaskOwner.Result result) {}

  public RememberedTaskOwners(AgentTaskOwners delegate) {
    this(delegate, IDS_MAX);
  }

  /** Remembers at most {@code idsMax} ids of tasks and contexts. */
  public RememberedTaskOwners(AgentTaskOwners delegate, int idsMax) {
    this.delegate = delegate;
    this.idsMax = idsMax;
  }

  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(
      AgentTaskKey key, String principal, Rules rules) {
    return remembered(key, principal)
        .orElseGet(() -> remembering(delegate.find(key, principal, rules), key, principal));
  }

  /**
   * With a message, or with ids that the caller is told instead, it is always recorded: the journal
   * then has these, too.
   */
  @Override
  public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
      UUID callId,
      AgentTaskKey key,
      @Nullable IdentifiedMessage message,
      String principal,
      Rules rules) {
    return (message == null && key.told().equals(ToldIds.NONE)
            ? remembered(key, principal)
            : Optional.<CompletableFuture<CommandResult<GetAgentTaskOwner.Result>>>empty())
        .orElseGet(() ->
            remembering(delegate.record(callId, key, message, principal, rules), key, principal));
  }

  private CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> remembering(
      CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> pending,
      AgentTaskKey key,
      String principal) {
    return pending.thenApply(result -> {
      if (result instanceof Stored<GetAgentTaskOwner.Result>(var owner) && owner.isFinal()) {
        remember(key, principal, owner);
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
  public CompletableFuture<CommandResult<TaskStatus>> status(
      TaskId task, String principal, Rules rules) {
    return delegate.status(task, principal, rules);
  }

  @Override
  public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
      String agent, TaskId heldTask, String principal, Rules rules) {
    return delegate.agentTask(agent, heldTask, principal, rules);
  }

  private synchronized Optional<CompletableFuture<CommandResult<GetAgentTaskOwner.Result>>>
      remembered(AgentTaskKey key, String principal) {
    KnownOwner task = known.get(ofTask(key));
    KnownOwner context = known.get(ofContext(key));
    return isKnown(key.taskId(), task, principal) && isKnown(key.contextId(), context, principal)
        ? Optional.of(CompletableFuture.completedFuture(new Stored<>(joined(task, context))))
        : Optional.empty();
  }

  private static boolean isKnown(
      @Nullable String id, @Nullable KnownOwner owner, String principal) {
    return id == null || (owner != null && principal.equals(owner.principal));
  }

  private static GetAgentTaskOwner.Result joined(
      @Nullable KnownOwner task, @Nullable KnownOwner context) {
    return new GetAgentTaskOwner.Result(
        true,
        false,
        new ToldIds(
            task == null ? null : task.result.told().taskId(),
            context == null ? null : context.result.told().contextId()),
        context == null ? null : context.result.heldContext());
  }

  /** A key for each id: a task may be asked for with its context and without. */
  private synchronized void remember(
      AgentTaskKey key, String principal, GetAgentTaskOwner.Result owner) {
    if (key.taskId() != null) {
      known.put(ofTask(key), new KnownOwner(principal, owner));
    }
    if (key.contextId() != null) {
      known.put(ofContext(key), new KnownOwner(principal, owner));
    }
    while (known.size() > idsMax) {
      known.pollFirstEntry();
    }
  }

  private static AgentTaskKey ofTask(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), key.taskId(), null);
  }

  private static AgentTaskKey ofContext(AgentTaskKey key) {
    return new AgentTaskKey(key.source(), null, key.contextId());
  }
}
