package gatebook.api.a2a.message;

import org.jspecify.annotations.Nullable;

/**
 * The task of an agent that a held message became.
 *
 * @param agentId the agent's own id
 * @param agentContext the agent's own context; absent when the answer had none
 * @param heldContext that the sender was told while the message was held
 */
public record AnsweredTask(String agentId, @Nullable String agentContext, String heldContext) {}
