package gatebook.events.keys.store;

import gatebook.events.keys.ContentOwner;
import java.time.Instant;

/**
 * A content key as its store lists it, without the key itself.
 *
 * @param madeAt when it was made; an erasure reaches the keys that were made before it
 */
public record StoredKey(String id, ContentOwner owner, Instant madeAt) {}
