package gatebook.command.keep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.call.Bytes;
import gatebook.events.call.SealedContent;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;
import java.util.random.RandomGenerator;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A cipher for original payloads, with a key that the journal does not hold (AES-256-GCM). Each
 * payload is bound to its call and to the key: moved into another call's event, it cannot be
 * decrypted.
 *
 * <p>The content is a random nonce of 12 bytes, then the ciphertext with its tag of 16.
 */
public final class PayloadCipher {

  /** The length of a key. */
  public static final int KEY_BYTES = 32;

  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** Looking up an algorithm costs more than using it; each use initialises the cipher again. */
  private final ThreadLocal<Cipher> ciphers = ThreadLocal.withInitial(PayloadCipher::cipher);

  private final RandomGenerator nonces;
  private final SecretKeySpec key;
  private final String keyFingerprint;

  /** The result of decrypting a sealed payload. */
  public sealed interface Unsealed {
    record Opened(String text) implements Unsealed {}

    /** It was sealed with another key, the one with this fingerprint. */
    record OtherKey(String key) implements Unsealed {}

    /** It was changed, or belongs to another call. */
    record Tampered() implements Unsealed {}
  }

  /** Draws each nonce from the platform's secure random numbers. */
  public PayloadCipher(byte[] key) {
    this(key, new SecureRandom());
  }

  /**
   * The key's fingerprint follows from the key and reveals nothing of it.
   *
   * @param nonces must never repeat 96 bits under one key: only a test gives another generator than
   *     a secure one
   */
  public PayloadCipher(byte[] key, RandomGenerator nonces) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("a seal key has %d bytes".formatted(KEY_BYTES));
    }
    this.nonces = nonces;
    this.key = new SecretKeySpec(key, "AES");
    this.keyFingerprint = KeyFingerprint.of(key);
  }

  public SealedContent seal(UUID callId, String text) {
    byte[] nonce = new byte[NONCE_BYTES];
    nonces.nextBytes(nonce);
    try {
      byte[] encrypted = cipher(Cipher.ENCRYPT_MODE, nonce, callId).doFinal(text.getBytes(UTF_8));
      byte[] content = Arrays.copyOf(nonce, NONCE_BYTES + encrypted.length);
      System.arraycopy(encrypted, 0, content, NONCE_BYTES, encrypted.length);
      return new SealedContent(keyFingerprint, Bytes.of(content));
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  public Unsealed unseal(UUID callId, SealedContent sealedContent) {
    if (!sealedContent.key().equals(keyFingerprint)) {
      return new Unsealed.OtherKey(sealedContent.key());
    }
    byte[] content = sealedContent.content().toArray();
    return content.length < NONCE_BYTES ? new Unsealed.Tampered() : decrypted(callId, content);
  }

  private Unsealed decrypted(UUID callId, byte[] content) {
    try {
      byte[] nonce = Arrays.copyOf(content, NONCE_BYTES);
      byte[] text =
          cipher(Cipher.DECRYPT_MODE, nonce, callId)
              .doFinal(content, NONCE_BYTES, content.length - NONCE_BYTES);
      return new Unsealed.Opened(new String(text, UTF_8));
    } catch (AEADBadTagException _) {
      return new Unsealed.Tampered();
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, UUID callId) throws GeneralSecurityException {
    Cipher cipher = ciphers.get();
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(associatedData(callId));
    return cipher;
  }

  private static Cipher cipher() {
    try {
      return Cipher.getInstance(CIPHER);
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  private byte[] associatedData(UUID callId) {
    byte[] fingerprint = keyFingerprint.getBytes(UTF_8);
    return ByteBuffer.allocate(2 * Long.BYTES + fingerprint.length)
        .putLong(callId.getMostSignificantBits())
        .putLong(callId.getLeastSignificantBits())
        .put(fingerprint)
        .array();
  }

  private static IllegalStateException unavailable(GeneralSecurityException e) {
    return new IllegalStateException("every Java platform has " + CIPHER, e);
  }
}
