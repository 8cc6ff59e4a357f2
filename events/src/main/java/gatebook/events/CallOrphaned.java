package gatebook.events;

import java.util.UUID;

/**
 * The call was orphaned: its node died, and another node closed it. {@code forwarded} when it may
 * have had its effect.
 */
@Named(name = "CallOrphaned", version = "1")
public record CallOrphaned(UUID callId, String deadNode, boolean forwarded) implements CallEnd {}
