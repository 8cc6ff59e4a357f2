package gatebook.query.verification;

import gatebook.events.journal.storage.RefusedStamp;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The report of a verification.
 *
 * @param found the first findings, by position
 * @param counts the number of all findings, by kind
 * @param failing the number of all findings that are not accepted
 * @param accepted the number of all findings that an operator accepted
 * @param dropped empty when nothing was dropped for good
 */
public record VerificationReport(
    List<Found> found,
    Map<String, Long> counts,
    long failing,
    long accepted,
    Totals totals,
    Optional<CurrentTree> currentTree,
    Basis basis,
    Optional<DroppedEvents> dropped) {

  public VerificationReport {
    found = List.copyOf(found);
    counts = Map.copyOf(counts);
  }

  public boolean clean() {
    return failing == 0;
  }

  /** How many files could not be read, because their archive cannot be used. */
  public long unreadFiles() {
    return counts.getOrDefault(VerificationFinding.NotRead.KIND, 0L);
  }

  /** The number of findings that were counted but are not in {@code found}. */
  public long omitted() {
    return failing + accepted - found.size();
  }

  /** A finding and the acceptance that covers it, if there is one. */
  public record Found(VerificationFinding finding, Optional<AcceptedMismatch> accepted) {}

  /**
   * The size of the journal, and how much of it is signed.
   *
   * @param root the root over all events, in base64
   * @param newestCheckpointSize the size of the newest checkpoint that the rows agree with
   * @param notCovered the number of events after it, which are not signed yet
   */
  public record Totals(
      long events,
      long lastPosition,
      String root,
      long checkpoints,
      long newestCheckpointSize,
      long notCovered) {}

  /**
   * The basis of the report: what was read for it, and what stamps had settled before.
   *
   * @param readEvents how many events were read
   * @param stampedEvents how many were not read, because stamps say that they were verified
   * @param stamps how many stamps say so
   * @param oldestStamp when the oldest of these stamps was made
   * @param refusedStamps those that settle nothing, because they cannot be trusted
   */
  public record Basis(
      long readEvents,
      List<PositionRange> read,
      long stampedEvents,
      List<PositionRange> stamped,
      long stamps,
      Optional<Instant> oldestStamp,
      List<RefusedStamp> refusedStamps) {
    public Basis {
      read = List.copyOf(read);
      stamped = List.copyOf(stamped);
      refusedStamps = List.copyOf(refusedStamps);
    }
  }

  /**
   * What was dropped for good: of these events only the leaves are there.
   *
   * @param through the position up to which events were dropped
   * @param newestAt the time of the event there
   * @param events how many were dropped
   */
  public record DroppedEvents(long through, Instant newestAt, long events) {}

  /** The positions from one to another. */
  public record PositionRange(long from, long to) {}

  /**
   * The current tree: what an operator accepts, and from where the journal then continues. It
   * covers every position that was ever assigned; positions without a row have the leaf of a
   * missing event.
   *
   * @param root in base64
   * @param edge the right edge from which the next event is appended
   * @param lost the first positions without a row that no acceptance covers yet
   * @param isSigned whether the newest checkpoints signed it, perhaps without its last events: if
   *     not, it cannot go on as the log that they are of
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record CurrentTree(
      long size, String root, byte[] edge, List<PositionRange> lost, boolean isSigned) {
    public CurrentTree {
      lost = List.copyOf(lost);
    }
  }
}
