package gatebook.command.keep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Digest;
import gatebook.events.keys.ContentKeys;
import gatebook.events.keys.ContentOwner;
import gatebook.events.keys.KeyLookup;
import gatebook.events.keys.OldKeys;

/**
 * Makes the digests of contents, and compares contents with digests under the keys that these name.
 */
public final class ContentDigests {
  private final ContentKeys contentKeys;
  private final OldKeys oldKeys;

  /** The result of comparing a content with a digest. */
  public enum Match {
    SAME,
    OTHER,
    /** The key of the digest is not there: it was erased, or this process never had it. */
    UNKNOWN
  }

  public ContentDigests(ContentKeys contentKeys, OldKeys oldKeys) {
    this.contentKeys = contentKeys;
    this.oldKeys = oldKeys;
  }

  /** The digest of an owner's content, by which two contents of that owner are compared. */
  public Digest digest(ContentOwner owner, byte[] content) {
    return contentKeys.current(owner).digest(content);
  }

  /** Whether a content has this digest. */
  public Match match(Digest digest, String content) {
    byte[] bytes = content.getBytes(UTF_8);
    Digest old = oldKeys.digest(digest.key(), bytes);
    if (old != null) {
      return match(digest, old);
    }
    return contentKeys.find(digest.key()) instanceof KeyLookup.Found(var key)
        ? match(digest, key.digest(bytes))
        : Match.UNKNOWN;
  }

  private static Match match(Digest digest, Digest ofContent) {
    return digest.equals(ofContent) ? Match.SAME : Match.OTHER;
  }
}
