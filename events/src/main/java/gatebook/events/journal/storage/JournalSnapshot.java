package gatebook.events.journal.storage;

import gatebook.events.journal.checkpoint.VerifierKey;
import java.io.IOException;
import java.util.Optional;

/**
 * A snapshot of everything that a journal stores at one moment, exactly as it is found, for checks
 * that must not trust it.
 *
 * <p>It needs no key and changes nothing.
 */
public final class JournalSnapshot implements AutoCloseable {
  /** The result of taking a snapshot. */
  public sealed interface TakeResult {
    record Taken(JournalSnapshot snapshot) implements TakeResult {}

    record Refused(String sentence) implements TakeResult {}
  }

  /** An event's id and position. */
  public record Id(String id, long position) {}

  /** A line of the tag index: every event from the first to the last position has the tag. */
  public record IndexedTag(String tag, long first, long last) {
    /** The most events in one line, so that a search need not look far back. */
    public static final int EVENTS_MAX = 256;
  }

  /** The right edge as it is stored, whether or not it is a valid one. */
  @SuppressWarnings("ArrayRecordComponent") // the bytes as stored; never compared as a record
  public record StoredEdge(long size, byte[] hashes) {}

  private final StorageSnapshot storageSnapshot;
  private final Optional<byte[]> checkpointFile;
  private final long acknowledged;
  private final boolean requiresCheckpointFile;
  private final Runnable atEnd;

  private JournalSnapshot(
      StorageSnapshot storageSnapshot,
      Optional<byte[]> file,
      long acknowledged,
      boolean requiresCheckpointFile,
      Runnable atEnd) {
    this.storageSnapshot = storageSnapshot;
    this.checkpointFile = file;
    this.acknowledged = acknowledged;
    this.requiresCheckpointFile = requiresCheckpointFile;
    this.atEnd = atEnd;
  }

  /** Takes a snapshot of a journal that is not open in this process. */
  public static TakeResult take(JournalSettings settings) {
    JournalStorage storage = settings.storage();
    try {
      storage.openExisting();
      return new TakeResult.Taken(of(settings, storage, storage::close));
    } catch (OpenRefusal e) {
      storage.close();
      return new TakeResult.Refused(e.sentence());
    } catch (StorageFailure e) {
      storage.close();
      return new TakeResult.Refused(
          "the journal %s cannot be opened: %s"
              .formatted(storage.describe(), StorageFailure.describe(e)));
    }
  }

  /** Takes a snapshot of the journal that has this storage open. */
  public static JournalSnapshot ofOpen(JournalSettings settings, JournalStorage storage) {
    try {
      return of(settings, storage, () -> {});
    } catch (StorageFailure e) {
      throw new JournalUnreadable(e);
    }
  }

  /**
   * Reads the files before the storage, so that they say nothing of events that this snapshot does
   * not have.
   */
  private static JournalSnapshot of(
      JournalSettings settings, JournalStorage storage, Runnable atEnd) throws StorageFailure {
    Optional<byte[]> file =
        Optional.ofNullable(new CheckpointFile(settings.checkpointFile()).read());
    long acknowledged = AcknowledgedCount.of(settings).read();
    return new JournalSnapshot(storage.snapshot(), file, acknowledged, !storage.isShared(), atEnd);
  }

  /** The checkpoint in the file beside the journal; empty when there is no such file. */
  public Optional<byte[]> checkpointFile() {
    return checkpointFile;
  }

  /** The number of acknowledged events, from the file beside the journal. */
  public long acknowledged() {
    return acknowledged;
  }

  /** Whether the checkpoint file must exist: nodes that share a database need not have one. */
  public boolean requiresCheckpointFile() {
    return requiresCheckpointFile;
  }

  /** The events, by ascending position. */
  public RowCursor<Entry> events() {
    return storageSnapshot.events();
  }

  /** The tag index, by ascending position of the first event. */
  public RowCursor<IndexedTag> tagIndex() {
    return storageSnapshot.tagIndex();
  }

  /** The right edge; empty when there is none. */
  public Optional<StoredEdge> edge() {
    return storageSnapshot.edge();
  }

  /**
   * The bytes after the last event that are no record, such as a batch that was being written when
   * the power was lost; its last position is not known.
   */
  public Optional<SnapshotPart.DamagedRecord> tail() {
    return storageSnapshot.tail();
  }

  /** The stored checkpoints, by ascending number. */
  public RowCursor<StoredCheckpoint> checkpoints() {
    return storageSnapshot.checkpoints();
  }

  /** The newest checkpoint as it is stored; what is before its segment is not read. */
  public Optional<StoredCheckpoint> newestCheckpoint() {
    return storageSnapshot.newestCheckpoint();
  }

  /** The files for a copy of the journal, as {@link StorageSnapshot#copy} gives them. */
  public Optional<StorageCopy> copy(VerifierKey key) throws IOException {
    return storageSnapshot.copy(key);
  }

  /** Reads for a verification, part by part. */
  public SnapshotReading read(SnapshotReading.Order order) {
    return storageSnapshot.read(order);
  }

  @Override
  public void close() {
    try {
      storageSnapshot.close();
    } finally {
      atEnd.run();
    }
  }
}
