package gatebook.events.vocabulary;

import gatebook.events.keys.EventKey;

/**
 * The payload of a stored event, opened: its JSON as far as it can be read.
 *
 * <p>A member whose content cannot be read has a tilde before its name, and a number as its value;
 * one that is an original has two.
 */
@SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
public record OpenedPayload(byte[] json, ContentState contentState) {

  /** A payload opened by the key of its event alone, as far as people may see it. */
  public static OpenedPayload with(EventKey key, String eventId, String name, byte[] payload) {
    return ContentSealing.openToShow(key, eventId, name, payload);
  }

  /** Whether a stored payload has originals that a key of their own opens. */
  public static boolean hasOriginalsApart(byte[] payload) {
    return ContentSealing.hasOriginalsApart(payload);
  }

  /** Whether a key is that of the originals of a stored event. */
  public static boolean opensOriginals(EventKey key, String eventId, String name, byte[] payload) {
    return ContentSealing.opensOriginals(key, eventId, name, payload);
  }

  /** A payload without its content. */
  public static OpenedPayload closed(byte[] payload) {
    return ContentSealing.closed(payload);
  }
}
