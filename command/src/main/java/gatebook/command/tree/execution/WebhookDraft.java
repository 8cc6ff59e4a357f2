package gatebook.command.tree.execution;

/**
 * A draft of a webhook, as the caller who starts an execution wants it.
 *
 * @param url with its query
 * @param config the JSON of the address, of the headers and of the retries
 */
public record WebhookDraft(String url, String config) {}
