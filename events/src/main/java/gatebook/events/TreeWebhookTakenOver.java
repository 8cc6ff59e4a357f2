package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * The webhook of a tree's execution was taken over from a process that died, after the execution
 * had ended: its last message was neither delivered nor given up.
 */
@Named(name = "TreeWebhookTakenOver", version = "1")
public record TreeWebhookTakenOver(UUID treeId, String owner, UUID executionId, Instant takenOverAt)
    implements TreeWebhookEvent {}
