package gatebook.events;

import gatebook.events.call.Erasable;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The call is about to be forwarded upstream. Attempts count from 1; {@code endpoint} has no user,
 * query or fragment; {@code afterFailure} says why the previous attempt failed.
 */
@Named(name = "CallForwarded", version = "1")
public record CallForwarded(
    UUID callId,
    int attempt,
    String source,
    String endpoint,
    long timeoutMillis,
    @Erasable @Nullable String afterFailure)
    implements CallEvent {}
