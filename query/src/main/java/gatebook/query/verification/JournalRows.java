package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import java.util.Optional;

/**
 * The rows of a journal, exactly as stored, without any repair.
 *
 * <p>All methods read the same snapshot: an event that one of them returns exists for the others,
 * too.
 */
interface JournalRows {

  /** The events, by ascending position. */
  RowCursor<Entry> events();

  /** The events of this name, by ascending position. */
  RowCursor<Entry> eventsNamed(String name);

  /** The ids of all events. Equal ids are adjacent, by ascending position. */
  RowCursor<JournalSnapshot.Id> ids();

  /** The tag index, by ascending position. */
  RowCursor<JournalSnapshot.IndexedTag> tagIndex();

  /** The right edge; empty when its row is missing. */
  Optional<JournalSnapshot.StoredEdge> edge();

  /** The checkpoints in the database, by ascending number. */
  RowCursor<StoredCheckpoint> checkpoints();

  /** The checkpoint in the file beside the journal. */
  Optional<byte[]> checkpointFile();

  /** Whether this node has a checkpoint file: nodes that share a database need not have one. */
  boolean requiresCheckpointFile();
}
