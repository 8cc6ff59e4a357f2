package gatebook.events.tree;

import gatebook.events.call.SealedContent;

/**
 * The webhook of a tree's execution.
 *
 * @param url where it is delivered, without secrets
 * @param config the JSON of the address with its query, of the headers and of the retries, sealed
 */
public record TreeWebhook(String url, SealedContent config) {}
