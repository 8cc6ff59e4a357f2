package gatebook.events;

import gatebook.events.call.Bytes;

/**
 * An operator accepted the mismatch between the journal's rows and its newest checkpoint. {@code
 * checkpoint} is the note that disagreed; size and root are those of the tree over the rows as they
 * are.
 */
@Named(name = "MismatchAccepted", version = "1")
public record MismatchAccepted(
    String operator, String reason, String checkpoint, long treeSize, Bytes rootHash)
    implements Event {}
