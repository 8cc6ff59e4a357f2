package gatebook.events.keys.store;

import gatebook.events.keys.ContentKey;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.text.Normalizer;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key of a backup of content keys, derived from a passphrase by PBKDF2 with HMAC-SHA-256. Who
 * has it opens the backups with this salt, and does not know the passphrase.
 */
public final class BackupKey {

  /** The length of a salt. */
  public static final int SALT_BYTES = 32;

  /** The least length of the passphrase of a new backup. */
  public static final int PASSPHRASE_CHARS_MIN = 12;

  /** How often a new backup's key is iterated: about half a second of one processor. */
  public static final int ITERATIONS = 600_000;

  /** A file that asks for more is taken for damaged. */
  public static final int ITERATIONS_MAX = 100_000_000;

  private static final String DERIVATION = "PBKDF2WithHmacSHA256";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] salt;
  private final int iterations;
  private final WrappingKey key;

  /**
   * A key that was derived.
   *
   * @param key 32 bytes
   */
  public BackupKey(byte[] salt, int iterations, byte[] key) {
    if (salt.length != SALT_BYTES) {
      throw new IllegalArgumentException("a salt has %d bytes".formatted(SALT_BYTES));
    }
    this.salt = salt.clone();
    this.iterations = iterations;
    this.key = new WrappingKey(key);
  }

  /** Derives the key of a new backup, with a random salt. Takes about half a second. */
  public static BackupKey derive(String passphrase) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return derive(passphrase, salt, ITERATIONS);
  }

  static BackupKey derive(String passphrase, byte[] salt, int iterations) {
    String normal = Normalizer.normalize(passphrase, Normalizer.Form.NFC);
    PBEKeySpec spec =
        new PBEKeySpec(normal.toCharArray(), salt, iterations, WrappingKey.BYTES * Byte.SIZE);
    try {
      return new BackupKey(
          salt,
          iterations,
          SecretKeyFactory.getInstance(DERIVATION).generateSecret(spec).getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + DERIVATION, e);
    } finally {
      spec.clearPassword();
    }
  }

  public byte[] salt() {
    return salt.clone();
  }

  public int iterations() {
    return iterations;
  }

  /** The key itself, for the process that writes the backup. */
  public byte[] bytes() {
    return key.bytes();
  }

  /** The key of one file, so that backups with one salt have different keys. */
  byte[] ofFile(byte[] random) {
    return ContentKey.hmac(new SecretKeySpec(key.bytes(), ContentKey.HMAC), random);
  }

  long fingerprintBits() {
    return key.fingerprintBits();
  }
}
