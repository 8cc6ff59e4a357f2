package gatebook.api.a2a;

import gatebook.api.gateway.CommandResult;
import gatebook.api.gateway.DialectHandler.ClientContext;
import gatebook.command.call.AgentTaskKey;
import gatebook.command.call.IdentifiedMessage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.ServerFault.Cause;
import gatebook.events.fault.ServerFault.ServiceUnavailable;
import gatebook.events.fault.UpstreamFault.InvalidAgentResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the ids in the answers to one call of an agent: records them as owned by the caller,
 * unless they are another caller's.
 */
final class OwnedIds {
  static final Fault UNRECORDED = new ServiceUnavailable(Cause.JOURNAL, null);

  private final AgentAnswerIds answerIds;
  private final ClientContext client;
  private final AgentTaskOwners owners;
  private final @Nullable IdentifiedMessage message;
  private final Consumer<String> onTaskRecorded;
  private volatile @Nullable AgentTaskKey owned;

  /**
   * The ids in the answers to a call.
   *
   * @param message that the agent gets for a new task; absent otherwise
   * @param onTaskRecorded takes the id of a task when it is recorded whose it is
   */
  OwnedIds(
      AgentAnswerIds answerIds,
      ClientContext client,
      AgentTaskOwners owners,
      @Nullable IdentifiedMessage message,
      Consumer<String> onTaskRecorded) {
    this.answerIds = answerIds;
    this.client = client;
    this.owners = owners;
    this.message = message;
    this.onTaskRecorded = onTaskRecorded;
  }

  /** Why the caller does not get an answer; empty when every id in it is recorded as its own. */
  CompletableFuture<Optional<Fault>> check(String json) {
    AgentTaskKey key = answerIds.of(json);
    if (key.equals(owned) || (key.taskId() == null && key.contextId() == null)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (isTooLong(key.taskId()) || isTooLong(key.contextId())) {
      return CompletableFuture.completedFuture(
          Optional.of(new InvalidAgentResponse(key.source(), "an id is too long")));
    }
    return owners
        .record(client.callId(), key, message, client.principal(), client.snapshot().rules())
        .thenApply(outcome -> fault(outcome, key));
  }

  private Optional<Fault> fault(CommandResult<Boolean> outcome, AgentTaskKey key) {
    return switch (outcome) {
      case CommandResult.Refused<Boolean> _ -> Optional.of(UNRECORDED);
      case CommandResult.Stored<Boolean>(var isOwned) when isOwned -> {
        owned = key;
        if (key.taskId() != null) {
          onTaskRecorded.accept(key.taskId());
        }
        yield Optional.empty();
      }
      case CommandResult.Stored<Boolean> _ ->
          Optional.of(
              new InvalidAgentResponse(key.source(), "the answer has the id of another task"));
    };
  }

  /** Callers could not send a longer one. */
  private static boolean isTooLong(@Nullable String id) {
    return id != null && id.length() > A2aMembers.ID_CHARS_MAX;
  }
}
