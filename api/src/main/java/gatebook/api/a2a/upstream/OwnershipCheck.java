package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aParams;
import gatebook.api.a2a.message.A2aRequest;
import gatebook.api.a2a.message.A2aRequest.MessageRequest;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.a2a.message.SkillMessage;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.gateway.message.CommandResult;
import gatebook.api.upstream.FutureList;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.task.TaskStatus;
import gatebook.command.rules.Limit;
import gatebook.events.TaskCreated;
import gatebook.events.call.JsonValue;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Checks whose the tasks and contexts are that a request names. A task that is unknown is not told
 * from another's.
 */
public record OwnershipCheck(OwnAgentTasks owners) {
  private static final CompletableFuture<Optional<Fault>> NONE =
      CompletableFuture.completedFuture(Optional.empty());

  /**
   * The fault of a request to an agent upstream that names a task the caller does not own, or a
   * context that another caller owns.
   */
  CompletableFuture<Optional<Fault>> atAgent(String agent, A2aRequest request, NamedIds ids) {
    Optional<Fault> tooMany = tooMany(ids);
    if (tooMany.isPresent()) {
      return CompletableFuture.completedFuture(tooMany);
    }
    AgentTaskKey pair = pair(agent, request);
    List<CompletableFuture<Optional<Fault>>> checks = new ArrayList<>(List.of(ofPair(pair)));
    ids.taskIds().stream()
        .filter(id -> request.aboutTask().filter(id::equals).isEmpty())
        .forEach(id -> checks.add(ofTask(agent, id)));
    ids.contextIds().stream()
        .filter(id -> !id.equals(pair.contextId()))
        .forEach(id -> checks.add(ofContext(agent, id)));
    return first(checks);
  }

  /**
   * The fault of a message to the built-in agent that names a task the caller does not own. Its
   * contexts are separate for each caller.
   */
  public CompletableFuture<Optional<Fault>> here(NamedIds ids) {
    Optional<Fault> tooMany = tooMany(ids);
    return tooMany.isPresent()
        ? CompletableFuture.completedFuture(tooMany)
        : first(ids.taskIds().stream().map(id -> ofTaskHere(null, id)).toList());
  }

  private Optional<Fault> tooMany(NamedIds ids) {
    int idsMax = owners.rules().limits().getInt(Limit.AGENT_REQUEST_IDS_MAX);
    return ids.count() <= idsMax
        ? Optional.empty()
        : Optional.of(
            new InvalidParams(
                List.of(
                    new Problem(
                        "params",
                        null,
                        "at most %d ids of tasks and contexts".formatted(idsMax),
                        JsonValue.parse(Integer.toString(ids.count())),
                        List.of()))));
  }

  private static CompletableFuture<Optional<Fault>> first(
      List<CompletableFuture<Optional<Fault>>> checks) {
    return FutureList.all(checks)
        .thenApply(faults -> faults.stream().flatMap(Optional::stream).findFirst());
  }

  /**
   * The task and the context of a request, if the agent gave the task its id: a held message's is
   * looked up otherwise.
   */
  private static AgentTaskKey pair(String agent, A2aRequest request) {
    return new AgentTaskKey(
        agent,
        request.aboutTask().filter(id -> TaskId.parse(id).isEmpty()).orElse(null),
        request instanceof MessageRequest sent ? sent.message().contextId() : null);
  }

  private CompletableFuture<Optional<Fault>> ofPair(AgentTaskKey pair) {
    String id = pair.taskId() == null ? pair.contextId() : pair.taskId();
    return id == null ? NONE : of(pair, id);
  }

  private CompletableFuture<Optional<Fault>> ofContext(String agent, String id) {
    return isTooLong(id) ? notFound(id) : of(new AgentTaskKey(agent, null, id), id);
  }

  /** A task of the agent, or a held message, which is a task here. */
  private CompletableFuture<Optional<Fault>> ofTask(String agent, String id) {
    if (isTooLong(id)) {
      return notFound(id);
    }
    AgentTaskKey key = new AgentTaskKey(agent, id, null);
    return TaskId.parse(id).isEmpty()
        ? of(key, id)
        : ofTaskHere(agent, id)
            .thenCompose(fault ->
                fault.isPresent()
                    ? of(owners.uncounted(), key, id)
                    : CompletableFuture.completedFuture(fault));
  }

  /** Nobody has a task with a longer id, and nobody can be recorded as the owner of a context. */
  private static boolean isTooLong(String id) {
    return id.length() > A2aParams.ID_CHARS_MAX;
  }

  private CompletableFuture<Optional<Fault>> of(AgentTaskKey key, String id) {
    return of(owners, key, id);
  }

  private CompletableFuture<Optional<Fault>> of(OwnAgentTasks finder, AgentTaskKey key, String id) {
    return finder.find(key).thenApply(found -> fault(found, key, id));
  }

  private static Optional<Fault> fault(
      CommandResult<GetAgentTaskOwner.Result> found, AgentTaskKey key, String id) {
    return switch (found) {
      case CommandResult.Refused<GetAgentTaskOwner.Result> _ -> Optional.of(OwnedIds.UNRECORDED);
      case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) when owner.isOwned() ->
          Optional.empty();
      case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) ->
          AgentTaskOwners.mayName(key, owner)
              ? SkillMessage.unfitContext("message.contextId", id)
              : Optional.of(new TaskNotFound(id));
    };
  }

  private CompletableFuture<Optional<Fault>> ofTaskHere(@Nullable String agent, String id) {
    return TaskId.parse(id)
        .map(task -> owners.status(task).thenApply(found -> faultHere(found, agent, id)))
        .orElseGet(() -> notFound(id));
  }

  private static Optional<Fault> faultHere(
      CommandResult<TaskStatus> found, @Nullable String agent, String id) {
    return switch (found) {
      case CommandResult.Refused<TaskStatus> _ -> Optional.of(OwnedIds.UNRECORDED);
      case CommandResult.Stored<TaskStatus>(var status) ->
          status instanceof TaskStatus.Known known && (agent == null || isOf(agent, known.task()))
              ? Optional.empty()
              : Optional.of(new TaskNotFound(id));
    };
  }

  /** Whether an agent may have the task, unless old records do not say which agent has it. */
  static boolean isOf(String agent, TaskCreated task) {
    return task.agent() == null || task.agent().equals(agent);
  }

  private static CompletableFuture<Optional<Fault>> notFound(String id) {
    return CompletableFuture.completedFuture(Optional.of(new TaskNotFound(id)));
  }
}
