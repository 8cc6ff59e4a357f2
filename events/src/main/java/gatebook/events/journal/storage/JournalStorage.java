package gatebook.events.journal.storage;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.tree.RightEdge;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongConsumer;

/**
 * The storage of a journal: keeps its entries, its checkpoints and its right edge, and finds them
 * again.
 *
 * <p>Any thread may read. One session at a time writes; other processes may write to a storage that
 * {@link #isShared}.
 */
public interface JournalStorage extends AutoCloseable {

  /**
   * Checks that the storage can be used, and creates it if there is none; the refusal says in one
   * sentence why it cannot be used.
   */
  void open() throws OpenRefusal, StorageFailure;

  /** The same for a storage that must exist. */
  void openExisting() throws OpenRefusal, StorageFailure;

  /** The same, so that what is stored can be read here without a session that writes. */
  default void openForReading() throws OpenRefusal, StorageFailure {
    openExisting();
  }

  /** A new session of the only writer of this process. */
  StorageWriter writer() throws StorageFailure;

  /** At most {@code limit} entries of the selection with {@code after < position <= upTo}. */
  List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure;

  /**
   * The leaves at the positions after {@code after} up to {@code upTo}, as they are stored. A
   * position without an entry has the leaf of a missing event.
   */
  List<byte[]> leaves(long after, long upTo) throws StorageFailure;

  /** The nodes of the events after a position with the time of the newest of each, newest first. */
  SequencedMap<String, String> nodesAfter(long after, int limit) throws StorageFailure;

  /** The position of the first event at or after a time, as the text of an entry. */
  Optional<Long> firstAt(String at) throws StorageFailure;

  Optional<StoredCheckpoint> newestCheckpoint() throws StorageFailure;

  /** The newest checkpoint over exactly so many events; empty when there is none. */
  Optional<StoredCheckpoint> checkpointOver(long size) throws StorageFailure;

  /**
   * The right edge over the most first events, but at most so many, of which one is stored: with a
   * checkpoint, or elsewhere. It is empty where none is.
   */
  RightEdge storedEdge(long size) throws StorageFailure;

  /** A snapshot of everything that is stored now; the caller closes it. */
  StorageSnapshot snapshot() throws StorageFailure;

  /**
   * Calls back with the journal's head, soon and at least once, after another process appended; on
   * a thread of the storage.
   *
   * @return stops the calls
   */
  Runnable followOthers(LongConsumer onAppend);

  /**
   * Begins to verify what does not change any longer, and to stamp it with the signing key, in the
   * background until it is closed. A storage without such files does nothing.
   */
  default void stampSealed(CheckpointKeys keys) {}

  /**
   * The files that were removed, replaced or changed while they are open, as sentences for
   * operators. A storage without such files has none.
   */
  default List<String> damagedFiles() {
    return List.of();
  }

  /** How often moving segments to an archive failed since this storage was opened. */
  default long archiveFailures() {
    return 0;
  }

  /** Whether an event is in an archive only, so that reading it takes longer. */
  default boolean isArchived(long position) {
    return false;
  }

  /** The events that can be dropped for good; empty when none can. */
  default Optional<DroppableEvents> droppable() {
    return Optional.empty();
  }

  /** The end of what was dropped for good; empty when nothing was. */
  default Optional<DroppedThrough> droppedThrough() throws StorageFailure {
    return Optional.empty();
  }

  /** Whether another process may append to the same journal. */
  boolean isShared();

  /** How many bytes the journal takes on its disk. */
  long bytes() throws StorageFailure;

  /** The storage's name for operators, without credentials. */
  String describe();

  @Override
  void close();
}
