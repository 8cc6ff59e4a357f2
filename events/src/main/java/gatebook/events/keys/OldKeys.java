package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.SealedContent;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a node had before there were content keys: one sealed originals, the other keyed
 * digests. They only read.
 *
 * <p>An original was sealed by AES-256-GCM: a nonce of 12 bytes, then the ciphertext with its tag
 * of 16.
 */
public final class OldKeys {

  /** No such keys: nothing that needs one can be read. */
  public static final OldKeys NONE = new OldKeys(null, null);

  private final byte @Nullable [] sealKey;
  private final String sealFingerprint;
  private final @Nullable SecretKeySpec digestKey;
  private final String digestFingerprint;

  /**
   * Keys of 32 bytes.
   *
   * @param sealKey absent where there was none
   * @param digestKey absent where there was none
   */
  public OldKeys(byte @Nullable [] sealKey, byte @Nullable [] digestKey) {
    this.sealKey = sealKey == null ? null : sealKey.clone();
    this.sealFingerprint = sealKey == null ? "" : KeyFingerprint.of(sealKey);
    this.digestKey = digestKey == null ? null : new SecretKeySpec(digestKey, ContentKey.HMAC);
    this.digestFingerprint = digestKey == null ? "" : KeyFingerprint.of(digestKey);
  }

  /** The digest of a content by the key with this fingerprint; null when it is another key. */
  public @Nullable Digest digest(String keyFingerprint, byte[] content) {
    if (digestKey == null || !keyFingerprint.equals(digestFingerprint)) {
      return null;
    }
    return new Digest(digestFingerprint, Bytes.of(ContentKey.hmac(digestKey, content)));
  }

  /**
   * The text; null when another key sealed it, or it was changed.
   *
   * @param boundTo the id of what the text belongs to
   */
  public @Nullable String open(UUID boundTo, SealedContent sealed) {
    byte[] content = sealed.content().toArray();
    if (sealKey == null
        || !sealed.key().equals(sealFingerprint)
        || content.length < AesGcm.NONCE_BYTES) {
      return null;
    }
    GCMParameterSpec nonce = AesGcm.nonce(Arrays.copyOf(content, AesGcm.NONCE_BYTES));
    byte[] text = AesGcm.decrypt(sealKey, nonce, bound(boundTo), content, AesGcm.NONCE_BYTES);
    return text == null ? null : new String(text, UTF_8);
  }

  private byte[] bound(UUID id) {
    byte[] text = sealFingerprint.getBytes(UTF_8);
    return ByteBuffer.allocate(2 * Long.BYTES + text.length)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .put(text)
        .array();
  }
}
