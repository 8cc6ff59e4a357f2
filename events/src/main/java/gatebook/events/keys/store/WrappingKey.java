package gatebook.events.keys.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.tree.Sha256;
import gatebook.events.keys.AesGcm;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * A key that wraps other keys (AES-256-GCM). A wrapped key is a random nonce, the ciphertext and
 * its tag.
 */
public final class WrappingKey {

  /** The length of a key. */
  public static final int BYTES = 32;

  /** The length of a wrapped key. */
  static final int WRAPPED_BYTES = AesGcm.NONCE_BYTES + BYTES + AesGcm.TAG_BYTES;

  private static final byte[] FINGERPRINT = "gatebook wrapping key ".getBytes(UTF_8);
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] key;
  private final long fingerprint;

  /** A key of 32 bytes. */
  public WrappingKey(byte[] key) {
    if (key.length != BYTES) {
      throw new IllegalArgumentException("a wrapping key has %d bytes".formatted(BYTES));
    }
    this.key = key.clone();
    this.fingerprint = ByteBuffer.wrap(Sha256.of(FINGERPRINT, key)).getLong();
  }

  /** A new random key. */
  static WrappingKey random() {
    byte[] key = new byte[BYTES];
    RANDOM.nextBytes(key);
    return new WrappingKey(key);
  }

  /** Names the key without saying anything of it. */
  public String fingerprint() {
    return text(fingerprint);
  }

  long fingerprintBits() {
    return fingerprint;
  }

  static String text(long fingerprint) {
    return HexFormat.of().toHexDigits(fingerprint);
  }

  byte[] bytes() {
    return key.clone();
  }

  /**
   * Wraps a key.
   *
   * @param bound what it is bound to; it is unwrapped only together with the same
   */
  byte[] wrap(byte[] bound, byte[] plain) {
    byte[] nonce = new byte[AesGcm.NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return AesGcm.encrypt(key, AesGcm.nonce(nonce), bound, plain, nonce);
  }

  /** The key; null when another key wrapped it, or it was changed or is bound to another. */
  byte @Nullable [] unwrap(byte[] bound, byte[] wrapped) {
    return wrapped.length == WRAPPED_BYTES
        ? AesGcm.decrypt(
            key,
            AesGcm.nonce(Arrays.copyOf(wrapped, AesGcm.NONCE_BYTES)),
            bound,
            wrapped,
            AesGcm.NONCE_BYTES)
        : null;
  }
}
