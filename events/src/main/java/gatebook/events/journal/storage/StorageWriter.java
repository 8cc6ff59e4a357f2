package gatebook.events.journal.storage;

import gatebook.events.journal.tree.RightEdge;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's session with a journal's storage: one transaction per batch, from locking and
 * reading the right edge to the force.
 *
 * <p>After a failure {@link #stage()} says what can have happened: nothing, perhaps the commit, or
 * the commit without the force.
 */
public interface StorageWriter extends AutoCloseable {
  /** The stage of a transaction. */
  enum Stage {
    WRITING,
    COMMITTING,
    FORCING
  }

  Stage stage();

  /** Starts a transaction; until it ends no other process appends. */
  RightEdge lockEdge() throws StorageFailure;

  /**
   * Starts a transaction on the right edge as this session knows it when it is likely that no other
   * process has appended, and otherwise on the locked one.
   */
  default RightEdge expectEdge() throws StorageFailure {
    return lockEdge();
  }

  /** Adds entries with consecutive positions to the transaction. */
  void insert(List<Entry> entries) throws StorageFailure;

  /** Moves the right edge to the one after the inserted entries. */
  void moveEdge(RightEdge edge) throws StorageFailure;

  void insertCheckpoint(StoredCheckpoint checkpoint) throws StorageFailure;

  /** Commits the transaction on the locked edge; when this returns it is as durable as promised. */
  void commit() throws StorageFailure;

  /**
   * Commits the transaction on the expected edge as {@link #commit} does; false when another
   * process has appended: then nothing is stored, and the next edge is a locked one.
   */
  default boolean commitIfUnmoved() throws StorageFailure {
    commit();
    return true;
  }

  void rollback() throws StorageFailure;

  /**
   * Returns when everything that is stored is as durable as promised, and nothing that an earlier
   * session of this process sent can be stored any longer.
   */
  void settle() throws StorageFailure;

  /** Leaves no recovery to do for the next process; the writer's last call before closing. */
  void finish() throws StorageFailure;

  @Nullable StoredCheckpoint newestCheckpoint() throws StorageFailure;

  /** The newest checkpoint over the first {@code size} events. */
  @Nullable StoredCheckpoint checkpointOver(long size) throws StorageFailure;

  /** The position of the last entry; 0 when there is none. */
  long lastPosition() throws StorageFailure;

  /** Reads what is committed, as {@link JournalStorage#read} does. */
  List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure;

  /** Closes the session after a failure; the next one starts from what the disk holds. */
  void abandon();

  @Override
  void close();
}
