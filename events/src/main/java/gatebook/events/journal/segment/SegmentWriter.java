package gatebook.events.journal.segment;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.storage.Durability;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer of segments: appends one record for each batch to the last segment, and forces it.
 *
 * <p>Bytes behind the last whole record of an opened segment were never acknowledged, or else the
 * check at start finds acknowledged events missing. So the first write cuts them off, and nothing
 * does before.
 */
final class SegmentWriter implements StorageWriter {
  private static final int BUFFER_BYTES = 1 << 20;

  private final SegmentStorage storage;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private ActiveSegment active;
  private RightEdge edge;
  private RightEdge nextEdge;
  private CommittedBatch batch = CommittedBatch.NOTHING;
  private @Nullable StoredCheckpoint newestCheckpoint;
  private Stage stage = Stage.WRITING;

  private SegmentWriter(SegmentStorage storage, ActiveSegment active) throws IOException {
    this.storage = storage;
    this.active = active;
    this.edge = active.edge();
    this.nextEdge = edge;
    this.newestCheckpoint = storage.segments().newestCheckpoint().orElse(null);
  }

  /**
   * Opens the last segment, and shows what the files hold to readers.
   *
   * @param again after a failure: then there must be room for more
   */
  static SegmentWriter open(SegmentStorage storage, boolean again) throws IOException {
    ActiveSegment active = ActiveSegment.open(storage, again);
    try {
      return new SegmentWriter(storage, active);
    } catch (IOException e) {
      active.close();
      throw e;
    }
  }

  @Override
  public Stage stage() {
    return stage;
  }

  @Override
  public RightEdge lockEdge() {
    stage = Stage.WRITING;
    return edge.copy();
  }

  @Override
  public void insert(List<Entry> entries) {
    batch = batch.with(List.copyOf(entries));
  }

  @Override
  public void moveEdge(RightEdge newEdge) {
    nextEdge = newEdge.copy();
  }

  @Override
  public void insertCheckpoint(StoredCheckpoint checkpoint) {
    batch = batch.with(checkpoint);
  }

  @Override
  public void commit() throws StorageFailure {
    try {
      if (!batch.isEmpty()) {
        append();
      }
      batch = CommittedBatch.NOTHING;
      stage = Stage.WRITING;
    } catch (IOException e) {
      throw SegmentStorage.failure(e);
    }
  }

  private void append() throws IOException {
    if (active.isFull(storage.limits().segmentBytesMax()) || !active.canTake(batch)) {
      active = active.next(edge, batch);
    }
    BatchRecord.Encoded record = BatchRecord.encode(batch, active.header(), buffer);
    if (!active.hasPlaceFor(record.bytes())) {
      active = active.next(edge, batch);
      record = BatchRecord.encode(batch, active.header(), buffer);
    }
    active.prepare(record.bytes().remaining());
    stage = Stage.COMMITTING;
    active.write(record.bytes());
    stage = Stage.FORCING;
    if (storage.durability() == Durability.POWER) {
      active.force();
    }
    active.add(batch, record);
    edge = nextEdge;
    storage.appended(edge.size());
    if (batch.checkpoint() != null) {
      newestCheckpoint = batch.checkpoint();
    }
  }

  @Override
  public void rollback() {
    batch = CommittedBatch.NOTHING;
    nextEdge = edge;
  }

  @Override
  public void settle() throws StorageFailure {
    try {
      if (storage.durability() == Durability.POWER) {
        active.force();
      }
    } catch (IOException e) {
      throw SegmentStorage.failure(e);
    }
  }

  @Override
  public void finish() throws StorageFailure {
    try {
      active.giveBack();
    } catch (IOException e) {
      throw SegmentStorage.failure(e);
    }
    settle();
  }

  @Override
  public @Nullable StoredCheckpoint newestCheckpoint() {
    return newestCheckpoint;
  }

  @Override
  public @Nullable StoredCheckpoint checkpointOver(long size) throws StorageFailure {
    try {
      return storage.segments().checkpointOver(size).orElse(null);
    } catch (IOException e) {
      throw SegmentStorage.failure(e);
    }
  }

  @Override
  public long lastPosition() throws StorageFailure {
    return SegmentStorage.run(() -> storage.segments().last());
  }

  @Override
  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure {
    return storage.read(entrySelection, after, upTo, limit);
  }

  @Override
  public void abandon() {
    close();
  }

  @Override
  public void close() {
    active.close();
  }
}
