package gatebook.events.call;

/**
 * A keyed digest (HMAC-SHA-256): equal for equal content, and useless without the key that {@code
 * key} names.
 */
public record Digest(String key, Bytes hmac) {}
