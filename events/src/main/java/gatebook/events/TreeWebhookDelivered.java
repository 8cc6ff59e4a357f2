package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * The webhook of a tree's execution was delivered: its receiver accepted a message.
 *
 * @param type of the message
 * @param taskId the task that the message is about
 * @param last whether the message told the end of the execution
 * @param attempt from 1, one more each time the message is sent again
 * @param status of the receiver's HTTP response
 */
@Named(name = "TreeWebhookDelivered", version = "1")
public record TreeWebhookDelivered(
    UUID treeId,
    String owner,
    UUID executionId,
    String type,
    String taskId,
    boolean last,
    int attempt,
    int status,
    Instant deliveredAt)
    implements TreeWebhookEvent {}
