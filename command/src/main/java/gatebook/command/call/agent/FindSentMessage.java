package gatebook.command.call.agent;

import gatebook.command.call.SentMessageKey;
import java.time.Instant;
import org.axonframework.modelling.annotation.TargetEntityId;

/**
 * Finds the task of a message that was sent to an agent upstream before.
 *
 * @param content what the message says now
 */
public record FindSentMessage(
    @TargetEntityId SentMessageKey key, String content, String rulesHash, Instant at) {

  /** What is known of the message. */
  public sealed interface Result {

    /** It was not sent, or has no task, or is forgotten. */
    record None() implements Result {}

    /** It was sent, and has a task. */
    record HasTask(String taskId) implements Result {}

    /** It was not sent, but its id was, with other content. */
    record UsesIdAgain() implements Result {}
  }
}
