package gatebook.events.keys;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The key that seals the content of one event (AES-256-GCM). It seals once, so its nonce is zero.
 *
 * <p>Sealed content is a commitment to the key (32 bytes), then the ciphertext with its tag of 16.
 * AES-GCM alone would let somebody make one ciphertext that two keys open to different texts. The
 * event's leaf covers the commitment, so that only the key that sealed is accepted.
 */
public final class EventKey {

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int COMMITMENT_BYTES = 32;
  private static final int TAG_BITS = 128;
  private static final GCMParameterSpec ZERO = new GCMParameterSpec(TAG_BITS, new byte[12]);
  private static final byte[] COMMITMENT = "gatebook event key ".getBytes(UTF_8);

  /** Looking up an algorithm costs more than using it; each use initialises the cipher again. */
  private static final ThreadLocal<Cipher> CIPHERS = ThreadLocal.withInitial(EventKey::cipher);

  private final byte[] key;

  /** A key of 32 bytes, as it was derived. */
  public EventKey(byte[] key) {
    this.key = key.clone();
  }

  /** The key itself, which opens this event's content and no other. */
  public byte[] bytes() {
    return key.clone();
  }

  /**
   * Seals content.
   *
   * @param bound what the content is bound to; it opens only together with the same
   */
  public byte[] seal(byte[] bound, byte[] content) {
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, bound);
      byte[] sealed =
          Arrays.copyOf(commitment(), COMMITMENT_BYTES + cipher.getOutputSize(content.length));
      cipher.doFinal(content, 0, content.length, sealed, COMMITMENT_BYTES);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  /** The content; null when another key sealed it, or it was changed or is bound to another. */
  public byte @Nullable [] open(byte[] bound, byte[] sealed) {
    if (sealed.length < COMMITMENT_BYTES
        || !MessageDigest.isEqual(commitment(), Arrays.copyOf(sealed, COMMITMENT_BYTES))) {
      return null;
    }
    try {
      return cipher(Cipher.DECRYPT_MODE, bound)
          .doFinal(sealed, COMMITMENT_BYTES, sealed.length - COMMITMENT_BYTES);
    } catch (AEADBadTagException _) {
      return null;
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  private byte[] commitment() {
    MessageDigest digest = Sha256.newDigest();
    digest.update(COMMITMENT);
    return digest.digest(key);
  }

  private Cipher cipher(int mode, byte[] bound) throws GeneralSecurityException {
    Cipher cipher = CIPHERS.get();
    cipher.init(mode, new SecretKeySpec(key, "AES"), ZERO);
    cipher.updateAAD(bound);
    return cipher;
  }

  private static Cipher cipher() {
    try {
      return Cipher.getInstance(CIPHER);
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  private static IllegalStateException unavailable(GeneralSecurityException e) {
    return new IllegalStateException("every Java platform has " + CIPHER, e);
  }
}
