package gatebook.events.journal.tree;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256: the hash of the tree and of the checkpoints over it, and of all else that is hashed. */
public final class Sha256 {
  public static final int BYTES = 32;

  private static final byte NODE = 0x01;

  /** Looking up an algorithm costs more than using it; each use begins anew. */
  private static final ThreadLocal<MessageDigest> DIGESTS =
      ThreadLocal.withInitial(Sha256::newDigest);

  private Sha256() {}

  /** The hash of these bytes. */
  public static byte[] of(byte[] bytes) {
    return DIGESTS.get().digest(bytes);
  }

  /** The hash of these bytes, one after the other. */
  public static byte[] of(byte[] first, byte[] second) {
    MessageDigest digest = DIGESTS.get();
    digest.update(first);
    return digest.digest(second);
  }

  /** The hash of the tree's node over these two. */
  static byte[] ofNode(byte[] left, byte[] right) {
    MessageDigest digest = DIGESTS.get();
    digest.update(NODE);
    digest.update(left);
    return digest.digest(right);
  }

  public static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this java has no SHA-256, which every java must have", e);
    }
  }
}
