package gatebook.events;

import java.time.Instant;

/**
 * An operator replaced the key that wraps the store of content keys, and the one of before was
 * destroyed. {@code before} and {@code after} are fingerprints, {@code at} is when the store went
 * on under the new key.
 */
@Named(name = "WrappingKeyRotated", version = "1")
public record WrappingKeyRotated(String operator, String before, String after, Instant at)
    implements Event {}
