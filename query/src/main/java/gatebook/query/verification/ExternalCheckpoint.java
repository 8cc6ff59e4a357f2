package gatebook.query.verification;

/** A checkpoint kept outside the journal, where write access to the journal does not reach it. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ExternalCheckpoint(String name, byte[] note) {}
