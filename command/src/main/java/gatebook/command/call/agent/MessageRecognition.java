package gatebook.command.call.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.call.IdentifiedMessage;
import gatebook.command.call.SentMessageKey;
import gatebook.command.keep.ContentDigests;
import gatebook.command.keep.ContentDigests.Match;
import gatebook.command.rules.Limit;
import gatebook.command.rules.Rules;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.call.SentMessage;
import gatebook.events.keys.ContentOwner;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Recognition of duplicate messages by their ids and their content. */
public final class MessageRecognition {

  private final ContentDigests contentDigests;

  public MessageRecognition(ContentDigests contentDigests) {
    this.contentDigests = contentDigests;
  }

  /** What is recorded of a message to an agent, if there is one. */
  public @Nullable SentMessage sent(
      String principal, @Nullable String agent, @Nullable IdentifiedMessage message, Instant at) {
    return message == null
        ? null
        : new SentMessage(
            new SentMessageKey(principal, agent, message.messageId()).value(),
            contentDigests.digest(
                ContentOwner.at(principal, at), message.content().getBytes(UTF_8)));
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
  public Optional<TaskCreated> same(List<TaskCreated> known, SentMessageKey key, String content) {
    return known.stream().filter(task -> isSame(task.message(), key, content)).findFirst();
  }

  /**
   * The task that a message to an agent upstream has. The id that its sender was told goes first.
   */
  public FindSentMessage.Result find(FindSentMessage query, SentMessageEntity sent, Rules rules) {
    SentMessageKey key = query.key();
    List<TaskCreated> held = known(sent, query.at(), rules);
    List<AgentTaskCreated> ofAgent =
        sent.agentTasks().stream().filter(task -> isKnown(task, query.at(), rules)).toList();
    return Stream.concat(
            same(held, key, query.content()).map(TaskCreated::taskId).stream(),
            ofAgent.stream()
                .filter(it -> isSame(it.message(), key, query.content()))
                .map(it -> Objects.requireNonNull(it.taskId())))
        .findFirst()
        .<FindSentMessage.Result>map(FindSentMessage.Result.HasTask::new)
        .orElseGet(() ->
            held.isEmpty() && ofAgent.isEmpty()
                ? new FindSentMessage.Result.None()
                : new FindSentMessage.Result.UsesIdAgain());
  }

  /**
   * Whether a message is a duplicate. When its content cannot be compared, the id decides, because
   * a duplicate is likelier than a reused id.
   */
  private boolean isSame(@Nullable SentMessage earlier, SentMessageKey key, String content) {
    return earlier != null
        && earlier.key().equals(key.value())
        && contentDigests.match(earlier.content(), content) != Match.OTHER;
  }
}
