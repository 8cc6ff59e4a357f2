package gatebook.events;

import gatebook.events.call.Erasable;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The webhook of a tree's execution failed: its receiver did not accept a message.
 *
 * @param type of the message
 * @param taskId the task that the message is about
 * @param last whether the message told the end of the execution
 * @param attempt from 1, one more each time the message is sent again
 * @param status of the receiver's HTTP response; absent when there was none
 * @param givenUp whether the message is not sent again
 */
@Named(name = "TreeWebhookFailed", version = "1")
public record TreeWebhookFailed(
    UUID treeId,
    String owner,
    UUID executionId,
    String type,
    String taskId,
    boolean last,
    int attempt,
    @Nullable Integer status,
    @Erasable String reason,
    boolean givenUp,
    Instant failedAt)
    implements TreeWebhookEvent {}
