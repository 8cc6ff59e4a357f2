package gatebook.events.keys;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** AES-256-GCM as all keys use it. The tag of 16 bytes follows the ciphertext. */
public final class AesGcm {

  /** The length of a nonce. */
  public static final int NONCE_BYTES = 12;

  /** The length of a tag. */
  public static final int TAG_BYTES = 16;

  private static final String CIPHER = "AES/GCM/NoPadding";

  /** Looking up an algorithm costs more than using it; each use initialises the cipher again. */
  private static final ThreadLocal<Cipher> CIPHERS = ThreadLocal.withInitial(AesGcm::cipher);

  private AesGcm() {}

  /** A nonce of {@link #NONCE_BYTES}. */
  public static GCMParameterSpec nonce(byte[] nonce) {
    return new GCMParameterSpec(TAG_BYTES * Byte.SIZE, nonce);
  }

  /**
   * Encrypts content.
   *
   * @param nonce is used once with each key
   * @param bound what the content is bound to; it is decrypted only together with the same
   * @param before the ciphertext follows these bytes
   */
  public static byte[] encrypt(
      byte[] key, GCMParameterSpec nonce, byte[] bound, byte[] content, byte[] before) {
    byte[] encrypted = Arrays.copyOf(before, before.length + content.length + TAG_BYTES);
    encrypt(key, nonce, bound, content, content.length, encrypted, before.length);
    return encrypted;
  }

  /**
   * Encrypts the beginning of an array.
   *
   * @param at where the ciphertext is written
   */
  static void encrypt(
      byte[] key,
      GCMParameterSpec nonce,
      byte[] bound,
      byte[] content,
      int length,
      byte[] encrypted,
      int at) {
    try {
      cipher(Cipher.ENCRYPT_MODE, key, nonce, bound).doFinal(content, 0, length, encrypted, at);
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  /**
   * The content; null when another key encrypted it, or it was changed or is bound to another.
   *
   * @param from where the ciphertext begins
   */
  public static byte @Nullable [] decrypt(
      byte[] key, GCMParameterSpec nonce, byte[] bound, byte[] encrypted, int from) {
    if (encrypted.length < from + TAG_BYTES) {
      return null;
    }
    try {
      return cipher(Cipher.DECRYPT_MODE, key, nonce, bound)
          .doFinal(encrypted, from, encrypted.length - from);
    } catch (AEADBadTagException _) {
      return null;
    } catch (GeneralSecurityException e) {
      throw unavailable(e);
    }
  }

  private static Cipher cipher(int mode, byte[] key, GCMParameterSpec nonce, byte[] bound)
      throws GeneralSecurityException {
    Cipher cipher = CIPHERS.get();
    cipher.init(mode, new SecretKeySpec(key, "AES"), nonce);
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
