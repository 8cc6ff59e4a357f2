package gatebook.query.verification;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a verification found.
 *
 * @param found the first findings, by position
 * @param counts every finding, by kind
 * @param failing how many findings nobody accepted, told or not
 * @param accepted how many findings an operator accepted, told or not
 */
public record VerificationReport(
    List<Found> found,
    Map<String, Long> counts,
    long failing,
    long accepted,
    Totals totals,
    Optional<Standing> standing) {

  public VerificationReport {
    found = List.copyOf(found);
    counts = Map.copyOf(counts);
  }

  public boolean clean() {
    return failing == 0;
  }

  /** How many findings were counted and are not told. */
  public long more() {
    return failing + accepted - found.size();
  }

  /** A finding, and the acceptance that covers it, if one does. */
  public record Found(VerificationFinding finding, Optional<AcceptedMismatch> accepted) {}

  /**
   * What was there, and how much of it is signed.
   *
   * @param root the root over all events, in base64
   * @param newestCheckpointSize the size of the newest checkpoint that the rows agree with
   * @param notCovered events after that: what nobody signed yet
   */
  public record Totals(
      long events,
      long lastPosition,
      String root,
      long checkpoints,
      long newestCheckpointSize,
      long notCovered) {}

  /**
   * The journal as it stands: what an operator accepts, and where the journal then goes on. It
   * covers every position that was ever given; those without a row have the leaf of a missing
   * event.
   *
   * @param root in base64
   * @param edge the right edge from which the next event is appended
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Standing(long size, String root, byte[] edge) {}
}
