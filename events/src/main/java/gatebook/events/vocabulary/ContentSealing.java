package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.EventKey;
import gatebook.events.keys.KeyLookup;

/** Seals the content of events, and opens it, with the content keys of this process. */
final class ContentSealing {
  private final ContentKeys contentKeys;

  ContentSealing(ContentKeys contentKeys) {
    this.contentKeys = contentKeys;
  }

  /**
   * The payload of an event.
   *
   * @param plain the JSON without the content
   * @param content as {@link SplitJson} writes it
   */
  byte[] seal(String id, String name, ContentOwner owner, byte[] plain, byte[] content) {
    ContentKey key = contentKeys.current(owner);
    byte[] sealed = key.ofEvent(id).seal(bound(id, name), content);
    return SealedForm.write(plain, key.id(), sealed);
  }

  /** Whether a key is neither there nor erased. */
  boolean isMissing(String keyId) {
    return contentKeys.find(keyId) instanceof KeyLookup.Missing;
  }

  /** The JSON of a stored event with its content, as far as that can be read. */
  OpenedPayload open(String id, String name, byte[] payload, boolean withOriginals) {
    SealedForm sealedForm = SealedForm.read(payload);
    if (sealedForm == null) {
      return new OpenedPayload(payload, ContentState.PLAIN);
    }
    if (contentKeys.equals(ContentKeys.NONE)) {
      return new OpenedPayload(payload, ContentState.CLOSED);
    }
    return switch (contentKeys.find(sealedForm.keyId())) {
      case KeyLookup.Erased() -> unopened(sealedForm, ContentState.ERASED);
      case KeyLookup.Missing() -> unopened(sealedForm, ContentState.KEY_MISSING);
      case KeyLookup.Found(ContentKey key) ->
          open(key.ofEvent(id), id, name, sealedForm, withOriginals);
    };
  }

  private static OpenedPayload open(
      EventKey key, String id, String name, SealedForm sealedForm, boolean withOriginals) {
    byte[] content = key.open(bound(id, name), sealedForm.content());
    byte[] json = content == null ? null : sealedForm.withContent(content, withOriginals);
    return json == null
        ? unopened(sealedForm, ContentState.REFUSED)
        : new OpenedPayload(json, ContentState.OPENED);
  }

  /** The same with the key of this event alone. */
  static OpenedPayload openToShow(EventKey key, String id, String name, byte[] payload) {
    SealedForm sealedForm = SealedForm.read(payload);
    return sealedForm == null
        ? new OpenedPayload(payload, ContentState.PLAIN)
        : open(key, id, name, sealedForm, false);
  }

  /** The JSON of a stored event without its content. */
  static OpenedPayload closed(byte[] payload) {
    SealedForm sealedForm = SealedForm.read(payload);
    return sealedForm == null
        ? new OpenedPayload(payload, ContentState.PLAIN)
        : unopened(sealedForm, ContentState.CLOSED);
  }

  private static OpenedPayload unopened(SealedForm sealedForm, ContentState state) {
    return new OpenedPayload(sealedForm.withoutContent(), state);
  }

  private static byte[] bound(String id, String name) {
    return (id + ' ' + name).getBytes(UTF_8);
  }
}
