package gatebook.events.vocabulary;

import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The tag of a message to an agent: it names the sender, the agent and the message by their hash,
 * since callers choose ids of any length and of characters that no index keeps.
 */
public final class SentMessageTag {
  public static final String KEY = "sent-message";

  private SentMessageTag() {}

  public static Tag of(String value) {
    return new Tag(KEY, value);
  }

  /** {@code agent} is absent when the message is for the built-in one. */
  public static String value(String principal, @Nullable String agent, String messageId) {
    String conversation = TreeTaskTag.value(principal, agent == null ? "" : agent);
    return TreeTaskTag.value(conversation, messageId);
  }
}
