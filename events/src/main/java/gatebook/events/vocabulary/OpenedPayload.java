package gatebook.events.vocabulary;

/**
 * The payload of a stored event, opened: its JSON as far as it can be read.
 *
 * <p>A member whose content cannot be read has a tilde before its name, and a number as its value;
 * one that is an original has two.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
public record OpenedPayload(byte[] json, ContentState contentState) {}
