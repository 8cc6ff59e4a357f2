package gatebook.command.call;

import gatebook.events.keys.ContentOwner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Records a question that a source asks the caller.
 *
 * @param questionId the id under which the caller gets it
 * @param params as the source sent them
 */
public record PassQuestion(
    UUID callId,
    String principal,
    String source,
    String questionId,
    String method,
    @Nullable String params,
    String rulesHash)
    implements ContentCommand {

  @Override
  public ContentOwner contentOwner() {
    return ContentOwner.ofCall(principal, callId);
  }
}
