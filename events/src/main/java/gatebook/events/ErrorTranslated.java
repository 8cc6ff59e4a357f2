package gatebook.events;

import gatebook.events.call.Told;
import gatebook.events.fault.Fault;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call ended with an error: {@code fault} is what went wrong, {@code told} what the caller is
 * told of it (nobody, when the call is a notification). The target is told again, because errors
 * are grouped by it.
 */
@Named(name = "ErrorTranslated", version = "1")
public record ErrorTranslated(
    UUID callId,
    @Nullable String target,
    Fault fault,
    Told told,
    int attempts,
    @Nullable Long upstreamMillis,
    long totalMillis)
    implements CallEnd {}
