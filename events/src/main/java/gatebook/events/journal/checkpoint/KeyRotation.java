package gatebook.events.journal.checkpoint;

import java.util.List;

/**
 * A rotation of the checkpoint key.
 *
 * @param position of the event that introduces the new key: a checkpoint over it is the new key's
 * @param oldKey signed the checkpoints over fewer events
 */
public record KeyRotation(long position, VerifierKey oldKey, VerifierKey newKey) {

  boolean has(VerifierKey key) {
    return oldKey.isSameKey(key) || newKey.isSameKey(key);
  }

  /** Whether the rotation goes on where this one ended. */
  boolean isBefore(KeyRotation next) {
    return newKey.isSameKey(next.oldKey) && position < next.position;
  }

  /** Whether a checkpoint is signed by both keys, and so hands the trust over. */
  public boolean isSignedBy(byte[] note) {
    return isSigned(note, oldKey) && isSigned(note, newKey);
  }

  private static boolean isSigned(byte[] note, VerifierKey key) {
    return SignedNote.open(note, List.of(key)) instanceof OpenedNote.Valid<String>;
  }
}
