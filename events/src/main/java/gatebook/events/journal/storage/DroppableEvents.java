package gatebook.events.journal.storage;

import gatebook.events.journal.drop.RecordedDrop;
import java.time.Instant;
import java.util.Optional;

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
   * Drops the events that a recorded event names, which a checkpoint must cover. It is done again
   * when it was interrupted.
   */
  void drop(RecordedDrop drop) throws StorageFailure;

  /** How many bytes all files take, those in the archive included. */
  long bytes() throws StorageFailure;

  /** Removes from the archive what is dropped, as far as that was not done yet. */
  void removeArchived() throws StorageFailure;
}
