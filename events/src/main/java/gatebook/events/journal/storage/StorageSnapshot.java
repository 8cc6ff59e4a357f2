package gatebook.events.journal.storage;

import java.util.Optional;

/** A snapshot of everything that a storage holds at one moment, exactly as it is found. */
public interface StorageSnapshot extends AutoCloseable {

  /** The entries, by ascending position. */
  RowCursor<Entry> events();

  /** The tag index, by ascending position of the first event. */
  RowCursor<JournalSnapshot.IndexedTag> tagIndex();

  /** The right edge; empty when there is none. */
  Optional<JournalSnapshot.StoredEdge> edge();

  /** The bytes after the last event that are no record; empty when there are none. */
  default Optional<SnapshotPart.DamagedRecord> tail() {
    return Optional.empty();
  }

  /** The checkpoints, by ascending number. */
  RowCursor<StoredCheckpoint> checkpoints();

  /** Reads for a verification, part by part. */
  SnapshotReading read(SnapshotReading.Order order);

  @Override
  void close();
}
