package gatebook.command.call;

import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import java.time.Instant;
import java.util.List;
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

  /** The outcome is false when another principal owns one of the ids. */
  static Decision<Boolean> decide(
      RecordAgentTask command,
      AgentTaskOwnership entity,
      MessageRecognition messageRecognition,
      Rules rules) {
    AgentTaskKey key = command.key;
    if (entity.isForeign(key, command.principal)) {
      return new Decision<>(List.of(), false);
    }
    if (entity.isOwned(key, command.principal)) {
      return new Decision<>(List.of(), true);
    }
    return new Decision<>(
        List.of(
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
                        command.principal, key.source(), command.message, rules))),
        true);
  }
}
