package gatebook.query.verification;

import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.SnapshotPart.DamagedRecord;
import gatebook.events.journal.SnapshotReading;
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

  /** What follows the last event and is no record, where something does. */
  default Optional<DamagedRecord> tail() {
    return Optional.empty();
  }

  /** The checkpoint in the file beside the journal. */
  Optional<byte[]> checkpointFile();

  /** How many events callers were told are stored; 0 when that is not known. */
  long acknowledged();

  /** Whether this node has a checkpoint file: nodes that share a database need not have one. */
  boolean requiresCheckpointFile();
}
