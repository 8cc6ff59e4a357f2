package gatebook.api.casefile;

import gatebook.events.journal.tree.InclusionPath;

/**
 * A rotation of the checkpoint key, in a case file: who has the old key can trust the new one.
 *
 * @param position of the event that records it
 * @param envelope what the leaf of the event is the hash of
 * @param payload of the event, which names both keys
 * @param note the checkpoint over the event that both keys signed
 */
@SuppressWarnings("ArrayRecordComponent") // written at once and never compared
public record CaseRotation(
    long position, byte[] envelope, byte[] payload, InclusionPath path, String note) {

  /** The folder of a rotation in the archive. */
  static String folder(long position) {
    return "rotations/%019d/".formatted(position);
  }
}
