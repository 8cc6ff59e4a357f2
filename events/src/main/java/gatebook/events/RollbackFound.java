package gatebook.events;

/**
 * A rollback of the log was found: a witness showed a checkpoint that this log signed, over more
 * events than it has. The journal was put back to an older state, and nothing follows under its
 * origin.
 *
 * @param witness the verifier key of the witness, as text
 * @param origin of the log
 * @param treeSize how many events the newest checkpoint covered that is still stored
 * @param checkpoint the note that the witness showed
 */
@Named(name = "RollbackFound", version = "1")
public record RollbackFound(String witness, String origin, long treeSize, String checkpoint)
    implements Event {}
