package gatebook.query.verification;

import gatebook.events.journal.Cursor;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Snapshot;
import gatebook.events.journal.StoredCheckpoint;
import java.util.Optional;

/** The rows of a journal on a database. */
record SnapshotRows(Snapshot snapshot) implements Rows {

  @Override
  public Cursor<Entry> events() {
    return snapshot.events();
  }

  @Override
  public Cursor<Entry> eventsNamed(String name) {
    return snapshot.eventsNamed(name);
  }

  @Override
  public Cursor<Snapshot.Id> ids() {
    return snapshot.ids();
  }

  @Override
  public Cursor<Snapshot.IndexedTag> tagIndex() {
    return snapshot.tagIndex();
  }

  @Override
  public Optional<Snapshot.StoredEdge> edge() {
    return snapshot.edge();
  }

  @Override
  public Cursor<StoredCheckpoint> checkpoints() {
    return snapshot.checkpoints();
  }

  @Override
  public Optional<byte[]> checkpointFile() {
    return snapshot.checkpointFile();
  }

  @Override
  public boolean keepsCheckpointFile() {
    return snapshot.keepsCheckpointFile();
  }
}
