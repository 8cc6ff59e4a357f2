package gatebook.events.journal.segment;

import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.StoredCheckpoint;
import java.util.List;
import java.util.Optional;

/** The journal of a predecessor, open for reading. */
public interface PredecessorJournal extends AutoCloseable {
  /** The right edge; empty when there is none. */
  Optional<StoredEdge> edge() throws StorageFailure;

  /** At most {@code limit} entries with {@code after < position <= upTo}, by position. */
  List<Entry> entries(long after, long upTo, int limit) throws StorageFailure;

  /** At most {@code limit} checkpoints with a number above {@code after}, by number. */
  List<StoredCheckpoint> checkpoints(long after, int limit) throws StorageFailure;

  @Override
  void close();
}
