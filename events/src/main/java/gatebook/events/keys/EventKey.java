package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.spec.GCMParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The key that seals the content of one event, or its originals (AES-256-GCM). It seals once, so
 * its nonce is zero.
 *
 * <p>Sealed content is a commitment to the key (32 bytes), then the ciphertext with its tag of 16.
 * AES-GCM alone would let somebody make one ciphertext that two keys open to different texts. The
 * event's leaf covers the commitment, so that only the key that sealed is accepted.
 */
public final class EventKey {

  private static final int COMMITMENT_BYTES = Sha256.BYTES;
  private static final GCMParameterSpec ZERO = AesGcm.nonce(new byte[AesGcm.NONCE_BYTES]);
  private static final byte[] COMMITMENT = "gatebook event key ".getBytes(UTF_8);

  private final byte[] key;

  /** A key of 32 bytes, as it was derived. The array belongs to it and must not be changed. */
  public EventKey(byte[] key) {
    this.key = key;
  }

  /** The key itself, which opens what it sealed and nothing else. */
  public byte[] bytes() {
    return key.clone();
  }

  /** The length of sealed content. */
  public static int sealedLength(int contentLength) {
    return COMMITMENT_BYTES + contentLength + AesGcm.TAG_BYTES;
  }

  /**
   * Seals the content at the beginning of an array.
   *
   * @param bound what the content is bound to; it opens only together with the same
   * @param at where the sealed content is written
   */
  public void seal(byte[] bound, byte[] content, int length, byte[] sealed, int at) {
    System.arraycopy(commitment(), 0, sealed, at, COMMITMENT_BYTES);
    AesGcm.encrypt(key, ZERO, bound, content, length, sealed, at + COMMITMENT_BYTES);
  }

  /** The content; null when another key sealed it, or it was changed or is bound to another. */
  public byte @Nullable [] open(byte[] bound, byte[] sealed) {
    if (sealed.length < COMMITMENT_BYTES
        || !MessageDigest.isEqual(commitment(), Arrays.copyOf(sealed, COMMITMENT_BYTES))) {
      return null;
    }
    return AesGcm.decrypt(key, ZERO, bound, sealed, COMMITMENT_BYTES);
  }

  private byte[] commitment() {
    return Sha256.of(COMMITMENT, key);
  }
}
