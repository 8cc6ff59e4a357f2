package gatebook.events.journal.storage;

import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
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

  /** The checkpoint with the highest number; empty when there is none. */
  default Optional<StoredCheckpoint> newestCheckpoint() {
    try (RowCursor<StoredCheckpoint> checkpoints = checkpoints()) {
      return checkpoints.last();
    }
  }

  /**
   * The files for a copy of the journal; empty when it is stored by others, who copy it, or not
   * signed.
   *
   * @param key signed the stamps that are trusted
   */
  default Optional<StorageCopy> copy(VerifierKey key) throws IOException {
    return Optional.empty();
  }

  /** Reads for a verification, part by part. */
  SnapshotReading read(SnapshotReading.Order order);

  @Override
  void close();
}
