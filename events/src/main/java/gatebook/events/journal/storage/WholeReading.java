package gatebook.events.journal.storage;

import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import java.util.List;
import java.util.function.Supplier;

/**
 * A reading of a snapshot as a whole, which is one part.
 *
 * @param trustEventQuery reads the events that change what a verification takes for right
 * @param idQuery reads the ids of all events, sorted
 */
public record WholeReading(
    StorageSnapshot snapshot,
    Supplier<RowCursor<Entry>> trustEventQuery,
    Supplier<RowCursor<JournalSnapshot.Id>> idQuery)
    implements SnapshotReading, SnapshotPart {

  @Override
  public List<SnapshotPart> parts() {
    return List.of(this);
  }

  @Override
  public RowCursor<Entry> trustEvents() {
    return trustEventQuery.get();
  }

  @Override
  public RowCursor<JournalSnapshot.Id> ids() {
    return idQuery.get();
  }

  @Override
  public RowCursor<Entry> events(long after) {
    return snapshot.events();
  }

  @Override
  public RowCursor<IndexedTag> tagIndex() {
    return snapshot.tagIndex();
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return snapshot.checkpoints();
  }

  @Override
  public List<RefusedStamp> refusedStamps() {
    return List.of();
  }
}
