package gatebook.command.call.agent;

import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.keep.PayloadRecorders;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.call.SentMessage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recognition of duplicate messages by their ids and their content. */
public final class MessageRecognition {

  private final PayloadRecorders payloadRecorders;

  public MessageRecognition(PayloadRecorders payloadRecorders) {
    this.payloadRecorders = payloadRecorders;
  }

  /** What is recorded of a message to an agent, if there is one. */
  public @Nullable SentMessage sent(
      String principal, @Nullable String agent, @Nullable IdentifiedMessage message, Rules rules) {
    return message == null
        ? null
        : new SentMessage(
            new SentMessageKey(principal, agent, message.messageId()).value(),
            payloadRecorders.of(rules).digest(message.content()));
  }

  private static boolean isKnown(TaskCreated task, Instant at, Rules rules) {
    long keptMillis =
        Math.min(task.ttlMillis(), rules.limits().get(Limit.AGENT_MESSAGE_KEPT_MILLIS));
    return at.isBefore(task.createdAt().plusMillis(keptMillis));
  }

  private static boolean isKnown(AgentTaskCreated task, Instant at, Rules rules) {
    long keptMillis = rules.limits().get(Limit.AGENT_MESSAGE_KEPT_MILLIS);
    return task.taskId() != null && at.isBefore(task.createdAt().plusMillis(keptMillis));
  }

  /** The tasks here of messages with one id that are not forgotten, the newest first. */
  public static List<TaskCreated> known(SentMessageEntity sent, Instant at, Rules rules) {
    return sent.tasks().stream().filter(task -> isKnown(task, at, rules)).toList();
  }

  /** The newest of the tasks that an equal message asked for. */
  public static Optional<TaskCreated> same(List<TaskCreated> known, @Nullable SentMessage message) {
    return known.stream().filter(task -> isSame(task.message(), message)).findFirst();
  }

  /**
   * The task that a message to an agent upstream has. The id that its sender was told goes first.
   */
  public FindSentMessage.Result find(FindSentMessage query, SentMessageEntity sent, Rules rules) {
    SentMessageKey key = query.key();
    SentMessage message =
        sent(
            key.principal(),
            key.agent(),
            new IdentifiedMessage(key.messageId(), query.content()),
            rules);
    List<TaskCreated> held = known(sent, query.at(), rules);
    List<AgentTaskCreated> ofAgent =
        sent.agentTasks().stream().filter(task -> isKnown(task, query.at(), rules)).toList();
    return Stream.concat(
            same(held, message).map(TaskCreated::taskId).stream(),
            ofAgent.stream()
                .filter(it -> isSame(it.message(), message))
                .map(it -> Objects.requireNonNull(it.taskId())))
        .findFirst()
        .<FindSentMessage.Result>map(FindSentMessage.Result.HasTask::new)
        .orElseGet(() ->
            held.isEmpty() && ofAgent.isEmpty()
                ? new FindSentMessage.Result.None()
                : new FindSentMessage.Result.UsesIdAgain());
  }

  /**
   * Whether a message is a duplicate. Digests by different keys cannot be compared; then the id
   * decides, because a duplicate is likelier than a reused id.
   */
  private static boolean isSame(@Nullable SentMessage earlier, @Nullable SentMessage message) {
    return earlier != null
        && message != null
        && earlier.key().equals(message.key())
        && (earlier.content().equals(message.content())
            || !earlier.content().key().equals(message.content().key()));
  }
}
