package gatebook.events.vocabulary;

/**
 * The JSON of a stored event as far as it can be read. A member whose content cannot be read has a
 * tilde before its name.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
public record OpenedPayload(byte[] json, ContentState contentState) {}
