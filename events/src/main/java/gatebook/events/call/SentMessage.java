package gatebook.events.call;

/**
 * A message that was sent for a task, so that it is recognised when it is sent again.
 *
 * @param key the hash of its sender, of the agent and of its id
 * @param content the digest of what it says
 */
public record SentMessage(String key, Digest content) {}
