package gatebook.events.keys.store;

import java.time.Instant;

/**
 * A rotation of the wrapping key.
 *
 * @param before the fingerprint of the wrapping key of before
 * @param after the fingerprint of the wrapping key since then
 * @param operator the name of the operator
 */
public record WrappingRotation(String before, String after, Instant at, String operator) {}
