package gatebook.query.verification;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import java.util.Optional;

/**
 * Everything a journal stores, exactly as it is found and with nothing mended.
 *
 * <p>All of it is of one moment: an event that one method gives is there for the others too.
 */
interface JournalRows {

  /** The events, by ascending position. */
  RowCursor<Entry> events();

  /** The events of this name, by ascending position. */
  RowCursor<Entry> eventsNamed(String name);

  /** Every event's id, equal ids together and by ascending position. */
  RowCursor<JournalSnapshot.Id> ids();

  /** The tag index, by ascending position. */
  RowCursor<JournalSnapshot.IndexedTag> tagIndex();

  /** The right edge; empty when its row is gone. */
  Optional<JournalSnapshot.StoredEdge> edge();

  /** The checkpoints in the database, by ascending number. */
  RowCursor<StoredCheckpoint> checkpoints();

  /** The checkpoint in the file beside the journal. */
  Optional<byte[]> checkpointFile();

  /** Whether the checkpoint file is kept here: nodes that share a database need not have one. */
  boolean keepsCheckpointFile();
}
