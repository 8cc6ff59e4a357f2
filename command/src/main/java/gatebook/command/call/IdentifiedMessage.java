package gatebook.command.call;

/**
 * A message with an id, which its sender may send again.
 *
 * @param messageId that the sender gave it
 * @param content what makes it equal to another one
 */
public record IdentifiedMessage(String messageId, String content) {}
