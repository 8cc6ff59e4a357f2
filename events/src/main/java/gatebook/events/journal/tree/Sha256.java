package gatebook.events.journal.tree;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256: the hash of the tree and of the checkpoints over it, and of all else that is hashed. */
public final class Sha256 {
  public static final int BYTES = 32;

  private Sha256() {}

  /** The hash of these bytes. */
  public static byte[] of(byte[] bytes) {
    return newDigest().digest(bytes);
  }

  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this java has no SHA-256, which every java must have", e);
    }
  }
}
