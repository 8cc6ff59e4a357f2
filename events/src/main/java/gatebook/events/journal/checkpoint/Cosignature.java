package gatebook.events.journal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * A C2SP cosignature of a checkpoint: the seconds of a time and an Ed25519 signature, over that
 * time and the text of the checkpoint.
 */
final class Cosignature {
  static final int BYTES = Long.BYTES + Ed25519.SIGNATURE_BYTES;

  private Cosignature() {}

  /** The bytes that are signed. */
  static byte[] message(long seconds, String text) {
    return ("cosignature/v1\ntime " + seconds + "\n" + text).getBytes(UTF_8);
  }

  /** The seconds in the line of a cosignature that was verified. */
  static long seconds(String line) {
    byte[] blob = Base64.getDecoder().decode(line.strip().substring(line.lastIndexOf(' ') + 1));
    return ByteBuffer.wrap(blob).getLong(Integer.BYTES);
  }

  /** Whether these bytes are the key's cosignature of a text. */
  static boolean verifies(byte[] publicKey, byte[] text, byte[] cosignature) {
    if (cosignature.length != BYTES) {
      return false;
    }
    ByteBuffer bytes = ByteBuffer.wrap(cosignature);
    long seconds = bytes.getLong();
    byte[] signature = new byte[Ed25519.SIGNATURE_BYTES];
    bytes.get(signature);
    return seconds >= 0
        && Ed25519.verifies(publicKey, message(seconds, new String(text, UTF_8)), signature);
  }
}
