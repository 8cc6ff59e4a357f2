package gatebook.api.upstream.agent.client;

import gatebook.api.dialect.A2aTaskState;
import org.jspecify.annotations.Nullable;

/**
 * An item that an agent answered with: a result, or a part of a stream.
 *
 * @param taskId absent when a message belongs to no task
 * @param contextId absent when the agent did not send it
 * @param state absent when the item has no status
 * @param payload the text of the task, message or update, without what version 1.0 wraps it in
 * @param result exactly as the agent wrote it
 */
public record AgentItem(
    Kind kind,
    @Nullable String taskId,
    @Nullable String contextId,
    @Nullable A2aTaskState state,
    String payload,
    String result) {

  /** The kind of the payload. */
  public enum Kind {
    TASK("task", "task"),
    MESSAGE("message", "message"),
    STATUS_UPDATE("status-update", "statusUpdate"),
    ARTIFACT_UPDATE("artifact-update", "artifactUpdate");

    private final String word;
    private final String wrapper;

    Kind(String word, String wrapper) {
      this.word = word;
      this.wrapper = wrapper;
    }

    /** The value of the member {@code kind} in version 0.3. */
    public String word() {
      return word;
    }

    /** The member that the payload is wrapped in by version 1.0. */
    public String wrapper() {
      return wrapper;
    }
  }
}
