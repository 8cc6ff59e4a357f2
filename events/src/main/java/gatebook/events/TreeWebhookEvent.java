package gatebook.events;

/** An event of the webhook of a tree's execution, after the execution started. */
public sealed interface TreeWebhookEvent extends TreeExecutionEvent
    permits TreeWebhookDelivered, TreeWebhookFailed, TreeWebhookTakenOver {}
