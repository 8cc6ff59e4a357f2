package gatebook.query.verification;

import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import gatebook.events.journal.storage.SnapshotReading;
import java.util.Optional;

/** The rows of a journal, read from a snapshot of its database. */
record SnapshotRows(JournalSnapshot snapshot) implements JournalRows {

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    return snapshot.read(order);
  }

  @Override
  public Optional<JournalSnapshot.StoredEdge> edge() {
    return snapshot.edge();
  }

  @Override
  public Optional<byte[]> checkpointFile() {
    return snapshot.checkpointFile();
  }

  @Override
  public Optional<DamagedRecord> tail() {
    return snapshot.tail();
  }

  @Override
  public long acknowledged() {
    return snapshot.acknowledged();
  }

  @Override
  public boolean requiresCheckpointFile() {
    return snapshot.requiresCheckpointFile();
  }
}
