package gatebook.query.proof;

import gatebook.events.journal.tree.InclusionPath;
import java.util.List;
import java.util.Optional;

/** An inclusion proof of events, or why there is none. */
public sealed interface InclusionProof {

  /**
   * Proven events: the path of each event leads from its leaf to the root that the checkpoint
   * signs.
   *
   * @param events by ascending position
   */
  record Proven(SignedTree signedTree, List<ProvenEvent> events) implements InclusionProof {
    public Proven {
      events = List.copyOf(events);
    }
  }

  /** The journal has no such event. */
  record NothingRecorded() implements InclusionProof {}

  /** There is no proof now. */
  sealed interface Unavailable extends InclusionProof {}

  /** There is no checkpoint yet. */
  record NothingSigned() implements Unavailable {}

  /** The tree is being read for the first time, and is read up to a position. */
  record BeingRead(long position, long size) implements Unavailable {}

  /**
   * The rows of the journal do not lead to the root that its newest checkpoint signs, or that is
   * not signed by the journal's key.
   */
  record Disagreement(long size) implements Unavailable {}

  /**
   * A checkpoint of the journal's tree.
   *
   * @param note the whole signed note
   * @param lastEventAt the time of the last event that it covers, RFC 3339 in UTC; empty when it
   *     covers none
   */
  record SignedTree(String note, long size, Optional<String> lastEventAt) {}

  /**
   * An event.
   *
   * @param name without its namespace
   * @param leaf its leaf in the tree
   * @param envelope what the leaf is the hash of, if the event was not edited
   * @param path empty for an event that the checkpoint does not cover
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record ProvenEvent(
      long position, String name, byte[] leaf, byte[] envelope, Optional<InclusionPath> path) {}
}
