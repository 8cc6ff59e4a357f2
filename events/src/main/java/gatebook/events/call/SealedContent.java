package gatebook.events.call;

/**
 * Sealed content: encrypted with a key that is kept outside the journal; {@code key} names that
 * key.
 */
public record SealedContent(String key, Bytes content) {}
