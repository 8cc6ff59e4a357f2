package gatebook.command.call;

import gatebook.events.keys.ContentOwner;
import java.util.UUID;

/**
 * Records the caller's reply to a question of a source.
 *
 * @param content the result or the error, as the caller sent it
 */
public record PassReply(
    UUID callId,
    String principal,
    String source,
    String questionId,
    boolean isError,
    String content,
    String rulesHash)
    implements ContentCommand {

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal, callId);
  }
}
