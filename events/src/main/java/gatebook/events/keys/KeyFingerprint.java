package gatebook.events.keys;

import gatebook.events.journal.tree.Sha256;
import java.util.HexFormat;

/** The fingerprint of a key: the beginning of its digest, which reveals nothing of the key. */
public final class KeyFingerprint {

  private static final int BYTES = 8;

  private KeyFingerprint() {}

  public static String of(byte[] key) {
    return HexFormat.of().formatHex(Sha256.of(key), 0, BYTES);
  }
}
