package gatebook.events.journal.storage;

import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import java.time.Instant;
import java.util.Optional;

/** A part of a snapshot: consecutive events with their index and the checkpoints among them. */
public interface SnapshotPart {

  /** The events after a position, by ascending position. */
  RowCursor<Entry> events(long after);

  /** The tag index of these events, by ascending position of the first event. */
  RowCursor<IndexedTag> tagIndex();

  /** The checkpoints among these events, in the order in which they are stored. */
  RowCursor<StoredCheckpoint> checkpoints();

  /** The records of these events that can be read, although their checksum is wrong. */
  default RowCursor<DamagedRecord> damagedRecords() {
    return RowCursor.none();
  }

  /**
   * A record whose checksum is wrong.
   *
   * @param from the position of its first event
   * @param to the position of its last event; one less than the first when it has none
   * @param where the file, and the place in it
   */
  record DamagedRecord(long from, long to, String where) {}

  /**
   * What a part says of events in it that were dropped for good.
   *
   * @param newestAt the time of the newest event of the part, whether or not that was kept
   * @param events how many are gone
   */
  record DroppedPart(Instant newestAt, long events) {}

  /** Empty when it says that every event is whole. */
  default Optional<DroppedPart> dropped() {
    return Optional.empty();
  }

  /** What a verification need not read again; empty when it has to look at each event. */
  default Optional<SettledRange> settled() {
    return Optional.empty();
  }

  /**
   * Whether its events cannot be read, since their archive cannot be used. Then what is settled
   * only lets the tree go on, and nothing says that it is right.
   */
  default boolean isUnread() {
    return false;
  }

  /** Whether the visitor of the reading has got these events. */
  default boolean isVisited() {
    return false;
  }

  /** When these events were verified, if a stamp and no reading settled them. */
  default Optional<Instant> stampedAt() {
    return Optional.empty();
  }
}
