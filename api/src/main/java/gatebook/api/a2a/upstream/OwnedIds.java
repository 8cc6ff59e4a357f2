package gatebook.api.a2a.upstream;

import gatebook.api.a2a.message.A2aParams;
import gatebook.api.a2a.message.AgentAnswerIds;
import gatebook.api.a2a.message.AnsweredTask;
import gatebook.api.a2a.upstream.AgentTaskOwners.OwnAgentTasks;
import gatebook.api.a2a.upstream.IdMapping.AnswerMapping;
import gatebook.api.gateway.message.CommandResult;
import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.agent.AgentTaskKey;
import gatebook.command.call.agent.GetAgentTaskOwner;
import gatebook.command.call.agent.ToldIds;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the ids in the answers to one call of an agent: records them as owned by the caller,
 * unless they are another caller's, and has the caller get those that it was told instead.
 */
final class OwnedIds {
  static final Fault UNRECORDED = new ServiceUnavailable(Cause.JOURNAL, null);

  private final AgentAnswerIds answerIds;
  private final UUID callId;
  private final OwnAgentTasks owners;
  private final @Nullable IdentifiedMessage message;
  private final Consumer<String> onTaskRecorded;
  private final @Nullable IdMapping idMapping;
  private final ToldIds told;
  private volatile @Nullable OwnedKey owned;

  /** Ids that are recorded, and what becomes of them. */
  private record OwnedKey(AgentTaskKey key, AnswerMapping mapping) {}

  /** An answer as the caller may get it, or why it gets none. */
  sealed interface CheckedAnswer {
    record Own(String json) implements CheckedAnswer {}

    record Foreign(Fault fault) implements CheckedAnswer {}
  }

  /**
   * The ids in the answers to a call.
   *
   * @param message that the agent gets for a new task; absent otherwise
   * @param onTaskRecorded takes the id of a task when it is recorded whose it is
   * @param idMapping of the request; absent when the answer is kept as the agent sent it
   * @param told what the caller is told instead of the ids in the answers, if it was told anything
   */
  OwnedIds(
      AgentAnswerIds answerIds,
      UUID callId,
      OwnAgentTasks owners,
      @Nullable IdentifiedMessage message,
      Consumer<String> onTaskRecorded,
      @Nullable IdMapping idMapping,
      ToldIds told) {
    this.answerIds = answerIds;
    this.callId = callId;
    this.owners = owners;
    this.message = message;
    this.onTaskRecorded = onTaskRecorded;
    this.idMapping = idMapping;
    this.told = told;
  }

  /** What the caller gets of an answer, when every id in it is recorded as its own. */
  CompletableFuture<CheckedAnswer> check(String json) {
    AgentTaskKey ids = answerIds.of(json);
    AgentTaskKey key = new AgentTaskKey(ids.source(), ids.taskId(), ids.contextId(), told);
    OwnedKey known = owned;
    if (known != null && key.equals(known.key)) {
      return own(json, known.mapping);
    }
    if (key.taskId() == null && key.contextId() == null) {
      return own(json, mapping(key, ToldIds.NONE, Optional.empty()));
    }
    if (isTooLong(key.taskId()) || isTooLong(key.contextId())) {
      return foreign(new InvalidAgentResponse(key.source(), "an id is too long"));
    }
    return owners.record(callId, key, message).thenCompose(outcome -> checked(json, key, outcome));
  }

  private CompletableFuture<CheckedAnswer> checked(
      String json, AgentTaskKey key, CommandResult<GetAgentTaskOwner.Result> outcome) {
    return switch (outcome) {
      case CommandResult.Refused<GetAgentTaskOwner.Result> _ -> foreign(UNRECORDED);
      case CommandResult.Stored<GetAgentTaskOwner.Result>(var owner) when owner.isOwned() -> {
        if (key.taskId() != null) {
          onTaskRecorded.accept(key.taskId());
        }
        yield mapping(key, owner.told())
            .thenCompose(mapping -> {
              owned = mapping.map(it -> new OwnedKey(key, it)).orElse(null);
              return mapping.map(it -> own(json, it)).orElseGet(() -> foreign(UNRECORDED));
            });
      }
      case CommandResult.Stored<GetAgentTaskOwner.Result> _ ->
          foreign(new InvalidAgentResponse(key.source(), "the answer has the id of another task"));
    };
  }

  /** Empty when the journal cannot be read. */
  private CompletableFuture<Optional<AnswerMapping>> mapping(AgentTaskKey key, ToldIds known) {
    return Optional.ofNullable(idMapping)
        .flatMap(it -> it.toldTask(key, known))
        .map(task ->
            owners
                .uncounted()
                .agentTask(key.source(), task)
                .thenApply(found ->
                    found instanceof CommandResult.Stored<Optional<AnsweredTask>>(var answered)
                        ? Optional.of(mapping(key, known, answered))
                        : Optional.<AnswerMapping>empty()))
        .orElseGet(() ->
            CompletableFuture.completedFuture(Optional.of(mapping(key, known, Optional.empty()))));
  }

  private AnswerMapping mapping(AgentTaskKey key, ToldIds known, Optional<AnsweredTask> answered) {
    return idMapping == null ? AnswerMapping.NONE : idMapping.answer(key, known, answered);
  }

  private static CompletableFuture<CheckedAnswer> own(String json, AnswerMapping mapping) {
    return CompletableFuture.completedFuture(new CheckedAnswer.Own(mapping.toCaller(json)));
  }

  private static CompletableFuture<CheckedAnswer> foreign(Fault fault) {
    return CompletableFuture.completedFuture(new CheckedAnswer.Foreign(fault));
  }

  /** Callers could not send a longer one. */
  private static boolean isTooLong(@Nullable String id) {
    return id != null && id.length() > A2aParams.ID_CHARS_MAX;
  }
}
