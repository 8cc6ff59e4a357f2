package gatebook.events;

import java.util.UUID;

/**
 * The node that had the call died, and another closed it; {@code forwarded} when it may have had
 * its effect.
 */
@Named(name = "CallOrphaned", version = "1")
public record CallOrphaned(UUID callId, String deadNode, boolean forwarded) implements CallEnd {}
