package gatebook.events.call;

/** A keyed digest (HMAC-SHA-256): equal for equal content, and of no use without {@code key}. */
public record Digest(String key, Bytes hmac) {}
