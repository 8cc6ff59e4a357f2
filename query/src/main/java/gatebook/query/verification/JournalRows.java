package gatebook.query.verification;

import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import gatebook.events.journal.storage.SnapshotReading;
import java.util.Optional;

/**
 * The rows of a journal, exactly as stored, without any repair.
 *
 * <p>All methods read the same snapshot: an event that one of them returns exists for the others,
 * too.
 */
interface JournalRows {

  /** Reads the events, their index and the checkpoints. */
  SnapshotReading read(SnapshotReading.Order order);

  /** The right edge; empty when its row is missing. */
  Optional<JournalSnapshot.StoredEdge> edge();

  /** The bytes after the last event that are no record; empty when there are none. */
  default Optional<DamagedRecord> tail() {
    return Optional.empty();
  }

  /** The checkpoint in the file beside the journal. */
  Optional<byte[]> checkpointFile();

  /** The number of acknowledged events; 0 when it is not known. */
  long acknowledged();

  /** Whether this node has a checkpoint file: nodes that share a database need not have one. */
  boolean requiresCheckpointFile();
}
