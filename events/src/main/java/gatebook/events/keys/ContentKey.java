package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A content key: 32 random bytes. The keys of each event and the key of digests are derived from
 * it, so that one of them can be handed out without the others.
 */
public final class ContentKey {

  /** The length of a key. */
  public static final int BYTES = 32;

  /** The algorithm of digests and derived keys. */
  public static final String HMAC = "HmacSHA256";

  private static final byte[] EVENT = "event ".getBytes(UTF_8);
  private static final byte[] ORIGINALS = "originals ".getBytes(UTF_8);
  private static final byte[] DIGEST = "digest".getBytes(UTF_8);

  /** Looking up an algorithm costs more than using it. */
  private static final ThreadLocal<Mac> MACS = ThreadLocal.withInitial(ContentKey::mac);

  private final String id;
  private final ContentOwner owner;
  private final SecretKeySpec key;
  private final SecretKeySpec digestKey;

  /**
   * A key.
   *
   * @param id 16 hexadecimal digits, which say nothing of the key
   */
  public ContentKey(String id, ContentOwner owner, byte[] key) {
    if (key.length != BYTES) {
      throw new IllegalArgumentException("a content key has %d bytes".formatted(BYTES));
    }
    this.id = id;
    this.owner = owner;
    this.key = new SecretKeySpec(key, HMAC);
    this.digestKey = new SecretKeySpec(hmac(this.key, DIGEST), HMAC);
  }

  public String id() {
    return id;
  }

  public ContentOwner owner() {
    return owner;
  }

  /** The key itself, for the store that keeps it. */
  public byte[] bytes() {
    return key.getEncoded();
  }

  /** The key that seals the content of one event, but for its originals. */
  public EventKey ofEvent(String eventId) {
    return new EventKey(hmac(key, EVENT, eventId.getBytes(UTF_8)));
  }

  /** The key that seals the originals of one event, which its other key does not open. */
  public EventKey ofOriginals(String eventId) {
    return new EventKey(hmac(key, ORIGINALS, eventId.getBytes(UTF_8)));
  }

  /** The digest by which two contents are compared. */
  public Digest digest(byte[] content) {
    return new Digest(id, Bytes.of(hmac(digestKey, content)));
  }

  /** The HMAC of the parts of a content, by a key of the algorithm {@link #HMAC}. */
  public static byte[] hmac(SecretKeySpec key, byte[]... parts) {
    try {
      Mac mac = MACS.get();
      mac.init(key);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }

  private static Mac mac() {
    try {
      return Mac.getInstance(HMAC);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }
}
