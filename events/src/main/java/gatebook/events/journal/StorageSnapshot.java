package gatebook.events.journal;

import java.util.Optional;

/** A snapshot of everything that a storage holds at one moment, exactly as it is found. */
public interface StorageSnapshot extends AutoCloseable {

  /** The entries, by ascending position. */
  RowCursor<Entry> events();

  /** The entries with this name, by ascending position. */
  RowCursor<Entry> eventsNamed(String name);

  /**
   * Event ids, at least all that occur more than once; equal ids together and by ascending
   * position.
   */
  RowCursor<JournalSnapshot.Id> ids();

  /** The tag index, by ascending position of the first event. */
  RowCursor<JournalSnapshot.IndexedTag> tagIndex();

  /** The right edge; empty when there is none. */
  Optional<JournalSnapshot.StoredEdge> edge();

  /** The checkpoints, by ascending number. */
  RowCursor<StoredCheckpoint> checkpoints();

  @Override
  void close();
}
