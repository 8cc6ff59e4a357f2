package gatebook.events.call;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many events of one kind were dropped for good.
 *
 * @param hour in which they happened: its beginning, in UTC
 * @param gate that denied; absent where none did
 * @param reason of the denial; absent where none was denied
 * @param code that the caller was told; absent where no error was
 */
public record DroppedCount(
    Instant hour,
    @Nullable Gate gate,
    @Nullable DenialReason reason,
    @Nullable Integer code,
    long count) {}
