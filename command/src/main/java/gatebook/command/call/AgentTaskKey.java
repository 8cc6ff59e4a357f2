package gatebook.command.call;

import org.jspecify.annotations.Nullable;

/**
 * The key of an agent's task and its context: the ids that the agent gave them. One of them may be
 * absent, but not both.
 */
public record AgentTaskKey(String source, @Nullable String taskId, @Nullable String contextId) {}
