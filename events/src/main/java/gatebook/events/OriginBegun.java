package gatebook.events;

import gatebook.events.call.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The log goes on under a new origin, because what follows need not be what follows elsewhere: the
 * journal was restored, or was accepted with other events than were signed. It is the first event
 * under the new origin.
 *
 * <p>{@code treeSize} and {@code rootHash} are those of the events before this one, as they are.
 * {@code checkpoint} is the newest known note of the old origin, whether or not it agrees with
 * them.
 */
@Named(name = "OriginBegun", version = "1")
public record OriginBegun(
    String operator,
    String reason,
    String oldOrigin,
    String newOrigin,
    long treeSize,
    Bytes rootHash,
    @Nullable String checkpoint)
    implements Event {}
