package gatebook.events.journal.storage;

/**
 * A signed checkpoint as it is stored, with the hashes of the right edge that it was signed over.
 *
 * @param number counts checkpoints in the order of signing, without gaps
 */
@SuppressWarnings(
    "ArrayRecordComponent") // the bytes as stored; checkpoints are identified by number
public record StoredCheckpoint(long number, long size, String note, byte[] hashes) {}
