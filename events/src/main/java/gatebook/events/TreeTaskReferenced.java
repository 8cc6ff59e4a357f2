package gatebook.events;

import java.time.Instant;
import java.util.UUID;

/**
 * A task of a tree was referenced for the first time, or for the first time by a link: another task
 * was made from it.
 *
 * @param linked whether the other task is a link
 * @param callId the call that made the other task
 */
@Named(name = "TreeTaskReferenced", version = "1")
public record TreeTaskReferenced(
    UUID treeId, String taskId, String owner, boolean linked, UUID callId, Instant referencedAt)
    implements TreeTaskEvent {}
