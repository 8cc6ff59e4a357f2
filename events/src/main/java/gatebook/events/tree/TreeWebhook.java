package gatebook.events.tree;

import gatebook.events.call.Erasable;
import org.jspecify.annotations.Nullable;

/**
 * The webhook of a tree's execution.
 *
 * @param url where it is delivered, without secrets
 * @param config the JSON of the address with its query, of the headers and of the retries; absent
 *     only when it cannot be read
 */
public record TreeWebhook(
    @Erasable String url, @Erasable(isOriginal = true) @Nullable String config) {}
