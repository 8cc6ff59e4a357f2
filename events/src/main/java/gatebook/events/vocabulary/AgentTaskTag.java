package gatebook.events.vocabulary;

import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The tags of an agent's task and of its context: each names the source and the id by their hash,
 * since agents choose ids of any length and of characters that no index keeps.
 */
public final class AgentTaskTag {
  public static final String TASK_KEY = "agent-task";
  public static final String CONTEXT_KEY = "agent-context";

  private AgentTaskTag() {}

  public static Tag ofTask(String source, String taskId) {
    return new Tag(TASK_KEY, TreeTaskTag.value(source, taskId));
  }

  public static Tag ofContext(String source, String contextId) {
    return new Tag(CONTEXT_KEY, TreeTaskTag.value(source, contextId));
  }
}
