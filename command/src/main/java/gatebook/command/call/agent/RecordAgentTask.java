package gatebook.command.call.agent;

import gatebook.command.call.Decision;
import gatebook.command.call.IdentifiedMessage;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;
import org.jspecify.annotations.Nullable;

/**
 * Records whose an agent's task and context are, unless that is recorded already.
 *
 * @param callId of the call that the agent answered with these ids
 * @param message that the agent got for a new task; absent otherwise
 */
public record RecordAgentTask(
    UUID callId,
    @TargetEntityId AgentTaskKey key,
    String principal,
    Instant at,
    @Nullable IdentifiedMessage message,
    String rulesHash) {

  /** The outcome is foreign when another principal owns one of the ids. */
  public static Decision<GetAgentTaskOwner.Result> decide(
      RecordAgentTask command, AgentTaskOwnership entity, MessageRecognition messageRecognition) {
    AgentTaskKey key = command.key;
    String toldContextId =
        key.contextId() != null && entity.awaitsAgent(key.told().contextId(), command.principal)
            ? key.told().contextId()
            : null;
    boolean isTold = toldContextId != null || key.told().taskId() != null;
    if (entity.isForeign(key, command.principal)
        || (entity.isOwned(key, command.principal) && !isTold)) {
      return new Decision<>(List.of(), entity.owner(key, command.principal));
    }
    AgentTaskCreated created =
        new AgentTaskCreated(
            command.callId,
            key.source(),
            command.principal,
            key.taskId(),
            key.contextId(),
            command.at,
            key.taskId() == null
                ? null
                : messageRecognition.sent(
                    command.principal, key.source(), command.message, command.at),
            key.told().taskId(),
            toldContextId);
    return new Decision<>(List.of(created), entity.after(created).owner(key, command.principal));
  }

  /** The context that the sender of a message to an agent upstream is told while it is held. */
  public static Optional<AgentTaskCreated> told(TaskCreated task, String principal) {
    return task.agent() == null || task.contextId() == null
        ? Optional.empty()
        : Optional.of(
            new AgentTaskCreated(
                task.callId(),
                task.agent(),
                principal,
                null,
                null,
                task.createdAt(),
                null,
                null,
                task.contextId()));
  }
}
