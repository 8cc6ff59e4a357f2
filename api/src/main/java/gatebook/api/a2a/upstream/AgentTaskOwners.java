package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aMeters;
import gatebook.api.a2a.message.A2aMeters.StoreOperation;
import gatebook.api.a2a.message.A2aMeters.StoreResult;
import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.AnsweredTask;
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
import gatebook.command.call.agent.ToldIds;
import gatebook.command.call.task.GetTask;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Rules;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The owners of agents' tasks and contexts as the journal has them, cached for the most recently
 * used ids. Reads and records are counted. Each outcome may be refused.
 */
public final class AgentTaskOwners {

  private static final Optional<CompletableFuture<CommandResult<GetAgentTaskOwner.Result>>>
      NOT_CACHED = Optional.empty();

  private final CommandSender commandSender;
  private final QuerySender querySender;
  private final InstantSource clock;
  private final A2aMeters meters;
  private final OwnerCache cache = new OwnerCache();

  public AgentTaskOwners(
      CommandSender commandSender, QuerySender querySender, InstantSource clock, A2aMeters meters) {
    this.commandSender = commandSender;
    this.querySender = querySender;
    this.clock = clock;
    this.meters = meters;
  }

  /** What a principal owns; the rules are those of its call. */
  public OwnAgentTasks of(String principal, Rules rules) {
    return new OwnAgentTasks(principal, rules, Optional.of(meters));
  }

  /**
   * Whether a principal may name the ids of the key to the agent: agents give tasks their ids, and
   * clients may give one to a new context.
   */
  static boolean mayName(AgentTaskKey key, GetAgentTaskOwner.Result owner) {
    return owner.isOwned() || (key.taskId() == null && !owner.isForeign());
  }

  /** The tasks and contexts that one principal owns, and the ids that it may name. */
  public final class OwnAgentTasks {
    private final String principal;
    private final Rules rules;
    private final Optional<A2aMeters> counted;

    private OwnAgentTasks(String principal, Rules rules, Optional<A2aMeters> counted) {
      this.principal = principal;
      this.rules = rules;
      this.counted = counted;
    }

    /** The same, whose reads and records are not counted. */
    public OwnAgentTasks uncounted() {
      return new OwnAgentTasks(principal, rules, Optional.empty());
    }

    String principal() {
      return principal;
    }

    Rules rules() {
      return rules;
    }

    /** Who owns the ids of the key. */
    public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> find(AgentTaskKey key) {
      return counting(
          cached(key)
              .orElseGet(() ->
                  caching(
                      querySender.send(
                          new GetAgentTaskOwner(key, principal),
                          GetAgentTaskOwner.Result.class,
                          rules),
                      key)),
          owner -> mayName(key, owner) ? StoreResult.SUCCESS : StoreResult.NOT_FOUND);
    }

    /**
     * Records that a principal owns the ids of the key, unless that is recorded. When one of them
     * is another's, nothing is recorded. With a message, or with ids that the caller is told
     * instead, the command is always sent: the journal then has these, too.
     */
    public CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> record(
        UUID callId, AgentTaskKey key, @Nullable IdentifiedMessage message) {
      boolean isCacheEnough = message == null && key.told().equals(ToldIds.NONE);
      CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> recorded =
          (isCacheEnough ? cached(key) : NOT_CACHED)
              .orElseGet(() ->
                  caching(
                      commandSender.send(
                          new RecordAgentTask(
                              callId, key, principal, clock.instant(), message, rules.hash()),
                          GetAgentTaskOwner.Result.class,
                          rules),
                      key));
      boolean isCreation = message != null && key.taskId() != null;
      return recorded.whenComplete((result, _) -> countRecord(isCreation, result));
    }

    /**
     * A task is created when a message gets it; that the owner of one is the same is no creation.
     */
    private void countRecord(
        boolean isCreation, @Nullable CommandResult<GetAgentTaskOwner.Result> result) {
      StoreResult stored =
          A2aMeters.result(
              result, owner -> owner.isOwned() ? StoreResult.SUCCESS : StoreResult.CONFLICT);
      if (isCreation || stored != StoreResult.SUCCESS) {
        counted.ifPresent(it -> it.count(StoreOperation.CREATE, stored));
      }
    }

    private Optional<CompletableFuture<CommandResult<GetAgentTaskOwner.Result>>> cached(
        AgentTaskKey key) {
      return cache
          .find(key, principal)
          .map(owner -> CompletableFuture.completedFuture(new Stored<>(owner)));
    }

    private CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> caching(
        CompletableFuture<CommandResult<GetAgentTaskOwner.Result>> pending, AgentTaskKey key) {
      return pending.thenApply(result -> {
        if (result instanceof Stored<GetAgentTaskOwner.Result>(var owner)) {
          cache.add(key, principal, owner);
        }
        return result;
      });
    }

    /**
     * The task of a message to an agent, if it was sent before. It is not counted: the task that is
     * found is read and counted then.
     */
    public CompletableFuture<CommandResult<FindSentMessage.Result>> sent(
        String agent, IdentifiedMessage message) {
      return querySender.send(
          new FindSentMessage(
              new SentMessageKey(principal, agent, message.messageId()),
              message.content(),
              rules.hash(),
              clock.instant()),
          FindSentMessage.Result.class,
          rules);
    }

    /** The status of a principal's task here, such as a held message. */
    public CompletableFuture<CommandResult<TaskStatus>> status(TaskId task) {
      return counting(
          querySender.send(
              new GetTask(task, principal, rules.hash(), clock.instant()), TaskStatus.class, rules),
          A2aMeters::read);
    }

    /**
     * The task of an agent which a held message of a principal became; empty while the agent has
     * answered with none, or when the task is not there. No task of an agent yet is a success.
     */
    public CompletableFuture<CommandResult<Optional<AnsweredTask>>> agentTask(
        String agent, TaskId heldTask) {
      return counting(uncounted().answeredTask(agent, heldTask), _ -> StoreResult.SUCCESS);
    }

    private CompletableFuture<CommandResult<Optional<AnsweredTask>>> answeredTask(
        String agent, TaskId heldTask) {
      return status(heldTask)
          .thenCompose(found ->
              switch (found) {
                case Refused<TaskStatus>(var refusal) -> done(new Refused<>(refusal));
                case Stored<TaskStatus>(var status) ->
                    AgentAnswerIds.answered(status)
                        .map(task -> ifOwned(task, agent))
                        .orElseGet(() -> done(new Stored<>(Optional.empty())));
              });
    }

    /** An id that hides behind another one in the answer was not recorded. */
    private CompletableFuture<CommandResult<Optional<AnsweredTask>>> ifOwned(
        AnsweredTask task, String agent) {
      return find(new AgentTaskKey(agent, task.agentId(), null))
          .thenApply(found ->
              switch (found) {
                case Refused<GetAgentTaskOwner.Result>(var refusal) -> new Refused<>(refusal);
                case Stored<GetAgentTaskOwner.Result>(var owner) ->
                    new Stored<>(owner.isOwned() ? Optional.of(task) : Optional.empty());
              });
    }

    private <R> CompletableFuture<CommandResult<R>> counting(
        CompletableFuture<CommandResult<R>> pending, Function<R, StoreResult> toResult) {
      return counted.map(it -> it.counted(StoreOperation.GET, pending, toResult)).orElse(pending);
    }

    private static <T> CompletableFuture<T> done(T value) {
      return CompletableFuture.completedFuture(value);
    }
  }
}
