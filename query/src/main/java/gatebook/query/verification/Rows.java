package gatebook.query.verification;

import gatebook.events.journal.Entry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything a journal stores, exactly as it is found and with nothing mended.
 *
 * <p>All of it is of one moment: an event that one method gives is there for the others too.
 */
public interface Rows {

  /** The events, by ascending position. */
  Cursor<Entry> events();

  /** The events of this name, by ascending position. */
  Cursor<Entry> eventsNamed(String name);

  /** Every event's id, equal ids together and by ascending position. */
  Cursor<Id> ids();

  /** The tag index, by ascending position. */
  Cursor<IndexedTag> tagIndex();

  /** The right edge; empty when its row is gone. */
  Optional<Edge> edge();

  /** The checkpoints in the database, by ascending number. */
  Cursor<Noted> checkpoints();

  /** The checkpoint in the file beside the journal. */
  Optional<byte[]> checkpointFile();

  /** Whether the checkpoint file is kept here: nodes that share a database need not have one. */
  boolean keepsCheckpointFile();

  record Id(String id, long position) {}

  record IndexedTag(String tag, long position) {}

  @SuppressWarnings("ArrayRecordComponent") // the bytes as stored; never compared as a record
  record Edge(long size, byte[] hashes) {}

  /**
   * A signed checkpoint; numbers count from 1 without gaps, and sizes never go back.
   *
   * @param hashes the right edge it was signed over
   */
  @SuppressWarnings("ArrayRecordComponent") // the bytes as stored; never compared as a record
  record Noted(long number, long size, byte[] note, byte[] hashes) {}

  /** One pass over what may be more than fits into memory. */
  interface Cursor<T> extends AutoCloseable {
    /** The next one; null when there are no more. */
    @Nullable T next();

    @Override
    void close();
  }
}
