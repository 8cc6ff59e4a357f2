package gatebook.command.keep;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** The fingerprint of a key: the beginning of its digest, which reveals nothing of the key. */
final class KeyFingerprint {

  private static final int BYTES = 8;

  private KeyFingerprint() {}

  static String of(byte[] key) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
      return HexFormat.of().formatHex(Arrays.copyOf(hash, BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
