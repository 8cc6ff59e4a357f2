package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import java.util.Optional;

/** The rows of a journal, read from a snapshot of its database. */
record SnapshotRows(JournalSnapshot snapshot) implements JournalRows {

  @Override
  public RowCursor<Entry> events() {
    return snapshot.events();
  }

  @Override
  public RowCursor<Entry> eventsNamed(String name) {
    return snapshot.eventsNamed(name);
  }

  @Override
  public RowCursor<JournalSnapshot.Id> ids() {
    return snapshot.ids();
  }

  @Override
  public RowCursor<JournalSnapshot.IndexedTag> tagIndex() {
    return snapshot.tagIndex();
  }

  @Override
  public Optional<JournalSnapshot.StoredEdge> edge() {
    return snapshot.edge();
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return snapshot.checkpoints();
  }

  @Override
  public Optional<byte[]> checkpointFile() {
    return snapshot.checkpointFile();
  }

  @Override
  public boolean requiresCheckpointFile() {
    return snapshot.requiresCheckpointFile();
  }
}
