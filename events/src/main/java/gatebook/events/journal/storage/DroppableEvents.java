package gatebook.events.journal.storage;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/** The oldest events of a storage, which can be dropped for good, range by range. */
public interface DroppableEvents {

  /**
   * The oldest range of which nothing is dropped.
   *
   * @param newestAt the time of its newest event
   * @param root of the tree over the first {@code to} events
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record OldestRange(long from, long to, Instant newestAt, byte[] root) {}

  /** Empty when there is none, or when it is not ready to be dropped yet. */
  Optional<OldestRange> oldest() throws StorageFailure;

  /**
   * The first position of the oldest range that is not dropped, or not finished; empty when there
   * is none that is ready.
   */
  default OptionalLong oldestPosition() throws StorageFailure {
    Optional<OldestRange> oldest = oldest();
    return oldest.isEmpty() ? OptionalLong.empty() : OptionalLong.of(oldest.get().from());
  }

  /**
   * Drops the events of a range but those that are kept. An event must say so that a checkpoint
   * covers. It is done again when it was interrupted.
   *
   * @param isKept whether the event of a position stays
   * @param keptCount of how many positions that is true
   * @return false when another process has to end before it can be done
   */
  boolean drop(OldestRange range, LongPredicate isKept, long keptCount) throws StorageFailure;

  /** How many bytes all files take, those in the archive included. */
  long bytes() throws StorageFailure;

  /** Removes from the archive what is dropped, as far as that was not done yet. */
  void removeArchived() throws StorageFailure;
}
