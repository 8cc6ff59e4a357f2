package gatebook.query.verification;

/** A checkpoint that was kept where nobody who can write to the journal can reach it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExternalCheckpoint(String name, byte[] note) {}
