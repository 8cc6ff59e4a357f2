package gatebook.command.call;

import gatebook.events.AgentTaskCreated;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Records whose an agent's task and context are, unless that is recorded already.
 *
 * @param callId of the call that the agent answered with these ids
 */
public record RecordAgentTask(
    UUID callId, @TargetEntityId AgentTaskKey key, String principal, Instant at) {

  /** The outcome is false when another principal owns one of the ids. */
  static Decision<Boolean> decide(RecordAgentTask command, AgentTaskEntity entity) {
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
                command.at)),
        true);
  }
}
