package gatebook.events.vocabulary;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.keys.ContentKey;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.EventKey;
import gatebook.events.keys.KeyLookup;
import org.jspecify.annotations.Nullable;

/** Seals the content of events, and opens it, with the content keys of this process. */
final class ContentSealing {
  private static final byte[] NONE = {};

  private final ContentKeys contentKeys;

  ContentSealing(ContentKeys contentKeys) {
    this.contentKeys = contentKeys;
  }

  /** The payload of an event: its JSON with its content sealed, and its originals apart. */
  byte[] seal(String id, String name, ContentOwner owner, SplitJson json) {
    ContentKey key = contentKeys.current(owner);
    byte[] bound = bound(id, name);
    Utf8Buffer sealedForm = json.plain();
    SealedForm.beginContent(sealedForm, key.id());
    addSealed(sealedForm, key.ofEvent(id), bound, json.content());
    if (json.hasOriginals()) {
      SealedForm.beginOriginals(sealedForm);
      addSealed(sealedForm, key.ofOriginals(id), bound, json.originals());
    }
    SealedForm.end(sealedForm);
    return sealedForm.toArray();
  }

  /** Seals into the buffer itself, so that nothing is copied. */
  private static void addSealed(Utf8Buffer to, EventKey key, byte[] bound, Utf8Buffer content) {
    int length = EventKey.sealedLength(content.length());
    int at = to.base64Source(length);
    key.seal(bound, content.array(), content.length(), to.array(), at);
    to.addBase64(length);
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
          withOriginals
              ? openWhole(key, id, name, sealedForm)
              : open(key.ofEvent(id), id, name, sealedForm);
    };
  }

  private static OpenedPayload openWhole(
      ContentKey key, String id, String name, SealedForm sealedForm) {
    byte[] content = key.ofEvent(id).open(bound(id, name), sealedForm.content());
    byte[] sealed = sealedForm.originals();
    byte[] originals = sealed == null ? NONE : key.ofOriginals(id).open(bound(id, name), sealed);
    return opened(
        sealedForm,
        content == null || originals == null
            ? null
            : sealedForm.withContent(content, originals, true));
  }

  private static OpenedPayload open(EventKey key, String id, String name, SealedForm sealedForm) {
    byte[] content = key.open(bound(id, name), sealedForm.content());
    return opened(
        sealedForm, content == null ? null : sealedForm.withContent(content, NONE, false));
  }

  private static OpenedPayload opened(SealedForm sealedForm, byte @Nullable [] json) {
    return json == null
        ? unopened(sealedForm, ContentState.REFUSED)
        : new OpenedPayload(json, ContentState.OPENED);
  }

  /** The same with the key of this event alone. */
  static OpenedPayload openToShow(EventKey key, String id, String name, byte[] payload) {
    SealedForm sealedForm = SealedForm.read(payload);
    return sealedForm == null
        ? new OpenedPayload(payload, ContentState.PLAIN)
        : open(key, id, name, sealedForm);
  }

  static boolean hasOriginalsApart(byte[] payload) {
    SealedForm sealedForm = SealedForm.read(payload);
    return sealedForm != null && sealedForm.originals() != null;
  }

  /** Whether this is the key of the originals of a stored event. */
  static boolean opensOriginals(EventKey key, String id, String name, byte[] payload) {
    SealedForm sealedForm = SealedForm.read(payload);
    byte[] originals = sealedForm == null ? null : sealedForm.originals();
    return originals != null && key.open(bound(id, name), originals) != null;
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
