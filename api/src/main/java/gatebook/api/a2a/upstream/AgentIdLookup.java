package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aReading;
import gatebook.api.a2a.message.A2aRequest;
import gatebook.api.a2a.message.A2aRequest.MessageRequest;
import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.message.NamedIds;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.dialect.A2aMethod;
import gatebook.api.dialect.A2aMethod.VersionedMethod;
import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.TaskId;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.GetAgentTaskOwner.HeldContext;
import gatebook.command.call.agent.ToldIds;
import gatebook.events.fault.Fault;
import gatebook.events.fault.TaskFault.TaskNotFound;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Looks up what an agent calls the tasks and the contexts that one request names, and records the
 * contexts as the caller's own before the agent gets them, those of a list aside.
 *
 * @param owners of whose reads only that of the task counts that the request is about
 * @param held what the sender was told of the held message that the request is; else none
 */
record AgentIdLookup(String source, UUID callId, OwnAgentTasks owners, ToldIds held) {

  /** What was found, or why the agent does not get the request. */
  sealed interface Found {

    /**
     * The agent's ids.
     *
     * @param told what the caller is told instead of the ids in the answer
     */
    record Known(IdMapping mapping, ToldIds told) implements Found {}

    record Refused(Fault fault) implements Found {}
  }

  CompletableFuture<Found> find(VersionedMethod method, A2aReading reading, NamedIds named) {
    A2aRequest request = reading instanceof A2aReading.Understood(var it) ? it : null;
    IdMapping mapping =
        new IdMapping(method, named, Optional.ofNullable(request).flatMap(A2aRequest::aboutTask));
    CompletableFuture<Found> found =
        CompletableFuture.completedFuture(new Found.Known(mapping, held));
    for (TaskId task : mapping.heldTasks()) {
      found = then(found, known -> withTask(known, task, isCounted(mapping, task, request)));
    }
    String ownContext = request instanceof MessageRequest sent ? sent.message().contextId() : null;
    for (String contextId : named.contextIds()) {
      found =
          then(found, known -> withContext(known, method, contextId, contextId.equals(ownContext)));
    }
    String heldContext = held.contextId();
    return heldContext == null || ownContext != null
        ? found
        : then(found, known -> within(known, heldContext));
  }

  /** A message within a context counts as a read of that. */
  private static boolean isCounted(IdMapping mapping, TaskId task, @Nullable A2aRequest request) {
    return mapping.isAbout(task)
        && !(request instanceof MessageRequest sent && sent.message().contextId() != null);
  }

  /** One step of a lookup. */
  @FunctionalInterface
  private interface Step {
    CompletableFuture<Found> apply(Found.Known known);
  }

  private static CompletableFuture<Found> then(CompletableFuture<Found> found, Step step) {
    return found.thenCompose(it ->
        it instanceof Found.Known known
            ? step.apply(known)
            : CompletableFuture.completedFuture(it));
  }

  /** The request is not sent about a task that the agent does not have. */
  private CompletableFuture<Found> withTask(Found.Known known, TaskId task, boolean isCounted) {
    return (isCounted ? owners : owners.uncounted())
        .agentTask(source, task)
        .thenApply(found ->
            switch (found) {
              case CommandResult.Refused<Optional<AnsweredTask>> _ ->
                  new Found.Refused(OwnedIds.UNRECORDED);
              case CommandResult.Stored<Optional<AnsweredTask>>(var answered) -> {
                answered.ifPresent(it -> known.mapping.addTask(task, it));
                yield answered.isEmpty() && known.mapping.isAbout(task)
                    ? new Found.Refused(new TaskNotFound(task.text()))
                    : known;
              }
            });
  }

  private CompletableFuture<Found> withContext(
      Found.Known known, VersionedMethod method, String contextId, boolean isOfMessage) {
    AgentTaskKey key = new AgentTaskKey(source, null, contextId);
    return (method.method() == A2aMethod.LIST
            ? owners.uncounted().find(key)
            : owners.record(callId, key, null))
        .thenApply(found ->
            switch (found) {
              case CommandResult.Refused<GetAgentTaskOwner.Result> _ ->
                  new Found.Refused(OwnedIds.UNRECORDED);
              case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner)
                  when owner.isForeign() ->
                  new Found.Refused(new TaskNotFound(contextId));
              case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) ->
                  owner.heldContext() == null
                      ? known
                      : withHeld(known, contextId, owner.heldContext(), isOfMessage);
            });
  }

  private Found withHeld(
      Found.Known known, String contextId, HeldContext heldContext, boolean isOfMessage) {
    if (heldContext.agentId() != null) {
      known.mapping.addContext(contextId, heldContext.agentId());
      return known;
    }
    if (heldContext.isGenerated()) {
      known.mapping.addUnknownContext(contextId);
    }
    return isOfMessage && held.contextId() == null
        ? new Found.Known(known.mapping, new ToldIds(known.told.taskId(), contextId))
        : known;
  }

  /** A held message that named no context goes on in that of later messages, if they began one. */
  private CompletableFuture<Found> within(Found.Known known, String heldContext) {
    return owners
        .uncounted()
        .find(new AgentTaskKey(source, null, heldContext))
        .thenApply(found -> {
          if (found instanceof CommandResult.Stored<GetAgentTaskOwner.Result>(var owner)
              && owner.heldContext() != null
              && owner.heldContext().agentId() != null) {
            known.mapping.sendWithin(owner.heldContext().agentId());
          }
          return found instanceof CommandResult.Refused<GetAgentTaskOwner.Result>
              ? new Found.Refused(OwnedIds.UNRECORDED)
              : known;
        });
  }
}
