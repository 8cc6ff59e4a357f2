package gatebook.command.call;

import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.call.SentMessage;
import gatebook.events.fault.Fault;
import gatebook.events.fault.Misdirected.InvalidParams;
import gatebook.events.fault.Problem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognition of messages that are sent again, by their ids and what they say. */
final class MessageRecognition {

  /** The id has another message, which is not forgotten yet. */
  static final Fault OTHER_CONTENT =
      new InvalidParams(
          List.of(
              new Problem(
                  "message.messageId",
                  null,
                  "an id that no message with other content had lately",
                  null,
                  List.of())));

  private final PayloadRecorders payloadRecorders;

  MessageRecognition(PayloadRecorders payloadRecorders) {
    this.payloadRecorders = payloadRecorders;
  }

  /** What is recorded of a message to an agent, if there is one. */
  @Nullable SentMessage sent(
      String principal, @Nullable String agent, @Nullable IdentifiedMessage message, Rules rules) {
    return message == null
        ? null
        : new SentMessage(
            new SentMessageKey(principal, agent, message.messageId()).value(),
            payloadRecorders.of(rules).digest(message.content()));
  }

  /** Whether the id of the message that asked for a task may be used again. */
  static boolean isForgotten(TaskCreated task, Instant at, Rules rules) {
    long keptMillis = Math.min(task.ttlMillis(), rules.limits().agentMessageKeptMillis());
    return !at.isBefore(task.createdAt().plusMillis(keptMillis));
  }

  private static boolean isForgotten(AgentTaskCreated task, Instant at, Rules rules) {
    long keptMillis = rules.limits().agentMessageKeptMillis();
    return !at.isBefore(task.createdAt().plusMillis(keptMillis));
  }

  /**
   * The task that a message to an agent upstream has. The id that its sender was told goes first.
   */
  FindSentMessage.Result find(FindSentMessage query, SentMessageEntity sent, Rules rules) {
    TaskCreated held = sent.task();
    AgentTaskCreated task = sent.agentTask();
    SentMessageKey key = query.key();
    SentMessage message =
        sent(
            key.principal(),
            key.agent(),
            new IdentifiedMessage(key.messageId(), query.content()),
            rules);
    if (held != null && !isForgotten(held, query.at(), rules)) {
      return found(held.taskId(), held.message(), message);
    }
    if (task != null && task.taskId() != null && !isForgotten(task, query.at(), rules)) {
      return found(task.taskId(), task.message(), message);
    }
    return new FindSentMessage.Result.None();
  }

  private static FindSentMessage.Result found(
      String taskId, @Nullable SentMessage earlier, @Nullable SentMessage message) {
    return isSame(earlier, message)
        ? new FindSentMessage.Result.HasTask(taskId)
        : new FindSentMessage.Result.Differs(OTHER_CONTENT);
  }

  /**
   * Whether a message is one that was sent before. Digests by different keys cannot be compared:
   * then the id decides, because a message that is sent again is likelier than an id that is used
   * again.
   */
  static boolean isSame(@Nullable SentMessage earlier, @Nullable SentMessage message) {
    return earlier != null
        && message != null
        && earlier.key().equals(message.key())
        && (earlier.content().equals(message.content())
            || !earlier.content().key().equals(message.content().key()));
  }
}
