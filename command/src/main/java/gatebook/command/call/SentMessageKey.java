package gatebook.command.call;

import gatebook.events.vocabulary.SentMessageTag;
import org.jspecify.annotations.Nullable;

/**
 * The key of a message that a principal sent to an agent.
 *
 * @param agent absent when it is the built-in one
 */
public record SentMessageKey(String principal, @Nullable String agent, String messageId) {

  /** The key in the journal. */
  public String value() {
    return SentMessageTag.value(principal, agent, messageId);
  }
}
