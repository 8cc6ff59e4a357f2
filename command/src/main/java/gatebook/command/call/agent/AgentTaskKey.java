package gatebook.command.call.agent;

import org.jspecify.annotations.Nullable;

/**
 * The key of an agent's task and its context: the ids that the agent gave them. One of them may be
 * absent, but not both.
 *
 * @param told what the caller is told instead
 */
public record AgentTaskKey(
    String source, @Nullable String taskId, @Nullable String contextId, ToldIds told) {

  /** The key of ids that the caller is told. */
  public AgentTaskKey(String source, @Nullable String taskId, @Nullable String contextId) {
    this(source, taskId, contextId, ToldIds.NONE);
  }
}
