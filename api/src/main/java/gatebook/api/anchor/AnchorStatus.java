package gatebook.api.anchor;

import org.jspecify.annotations.Nullable;

/**
 * The status of an anchor. What is not known is null.
 *
 * @param kind {@code directory}, {@code file} or {@code endpoint}
 * @param size of the journal at the newest checkpoint that it has
 * @param at when that was last the newest checkpoint of the journal, RFC 3339 in UTC
 * @param failure why the newest attempt of this node failed
 */
public record AnchorStatus(
    String name, String kind, @Nullable Long size, @Nullable String at, @Nullable String failure) {}
