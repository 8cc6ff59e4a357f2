package gatebook.events.journal.backup;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.MemoryIndex;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The segments of a backup, which are read one after the other: the tree over their events, the
 * checkpoints that sign it, and where the journal is cut off.
 */
final class RestoredSegments implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final SegmentFiles files;
  private final List<VerifierKey> keys;
  private final RestoreEnd end;
  private final LeafHasher hasher = new LeafHasher();
  private RightEdge tree = new RightEdge();
  private boolean hasBegun;

  /** The first positions of segments with dropped events, with the time of the newest of them. */
  private final TreeMap<Long, String> unexplained = new TreeMap<>();

  /** The edge at the cut; absent while it is not reached. */
  private @Nullable RightEdge cutTree;

  private @Nullable StoredCheckpoint newest;
  private @Nullable StoredCheckpoint newestAgreeing;
  private boolean isProven;

  RestoredSegments(Path directory, List<VerifierKey> keys, RestoreEnd end) {
    this.files = new SegmentFiles(directory, new ReadHandles(), new FilterMemory());
    this.keys = List.copyOf(keys);
    this.end = end;
  }

  /** Whether the restored journal ends in what was read. */
  boolean isCut() {
    return cutTree != null;
  }

  /** Whether nothing more has to be read: a checkpoint proves what is before the cut. */
  boolean isDone() {
    return cutTree != null && isProven;
  }

  /** The tree over the restored events. */
  RightEdge tree() {
    return cutTree == null ? tree : cutTree;
  }

  /** The newest restored checkpoint, which agrees with the restored events. */
  Optional<StoredCheckpoint> newestCheckpoint() {
    return Optional.ofNullable(newestAgreeing);
  }

  /**
   * The time up to which events are gone that a restored event does not say are dropped: the one
   * that does is behind the cut.
   */
  Optional<String> droppedLater() {
    return Optional.ofNullable(unexplained.lastEntry()).map(Map.Entry::getValue);
  }

  /** Whether a checkpoint over all restored events, or more, agrees with what was read. */
  boolean isProven() {
    return isProven;
  }

  /**
   * Reads the next segment, and cuts it off where the journal ends.
   *
   * @param isSealed whether another one follows it: then it gets an index
   */
  void read(long first, boolean isSealed) throws IOException {
    SegmentHeader header = files.readableHeader(first);
    if (!hasBegun) {
      tree = header.edge().copy(); // what is before it was archived
      hasBegun = true;
    }
    if (header.dropped() != null && cutTree == null) {
      unexplained.put(first, header.dropped().newestAt());
    }
    SegmentScan scan = files.scan(header, files.size(first));
    MemoryIndex index = new MemoryIndex(first);
    boolean isKept = cutTree == null;
    Cut cut = null;
    for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
      if (!record.intact()) {
        throw new IOException("a record in %s is damaged".formatted(name(first)));
      }
      index.add(record);
      cut = cut == null && cutTree == null ? add(record) : addBehind(record, cut);
    }
    if (cut != null) {
      write(header, cut);
    } else if (!isKept) {
      Files.delete(files.readSegment(first));
    } else if (isSealed) {
      Segment.active(files, header, index).seal();
    }
  }

  private String name(long first) {
    return String.valueOf(files.readSegment(first).getFileName());
  }

  /**
   * Where a segment is cut off.
   *
   * @param at the end of the whole records
   * @param rest the entries of the next record that stay
   */
  private record Cut(long at, List<Entry> rest) {}

  /** Adds a record; where the journal ends in it or before it, that is where it is cut off. */
  private @Nullable Cut add(BatchRecord record) {
    List<Entry> entries = record.entries();
    for (int i = 0; i < entries.size(); i++) {
      if (isBehind(entries.get(i))) {
        cutTree = tree.copy();
        Cut cut = new Cut(record.at(), List.copyOf(entries.subList(0, i)));
        entries.subList(i, entries.size()).forEach(this::append);
        prove(record);
        return cut;
      }
      append(entries.get(i));
      RecordedDrop.of(entries.get(i)).ifPresent(drop -> unexplained.remove(drop.from()));
    }
    StoredCheckpoint checkpoint = record.checkpoint();
    if (checkpoint != null) {
      newest = checkpoint;
      if (agrees(checkpoint)) {
        newestAgreeing = checkpoint;
      }
    }
    return null;
  }

  private boolean isBehind(Entry entry) {
    return switch (end) {
      case RestoreEnd.Everything() -> false;
      case RestoreEnd.Position(long position) -> entry.position() > position;
      case RestoreEnd.Time(Instant at) ->
          !entry.isDropped() && Instant.parse(entry.at()).isAfter(at);
    };
  }

  /** What is behind the cut is read only to find a checkpoint that proves what is before it. */
  private @Nullable Cut addBehind(BatchRecord record, @Nullable Cut cut) {
    record.entries().forEach(this::append);
    prove(record);
    return cut;
  }

  private void prove(BatchRecord record) {
    StoredCheckpoint checkpoint = record.checkpoint();
    isProven |= checkpoint != null && agrees(checkpoint);
  }

  private void append(Entry entry) {
    while (tree.size() < entry.position() - 1) {
      tree.append(hasher.missing(tree.size() + 1));
    }
    tree.append(entry.isDropped() ? entry.leaf() : hasher.leaf(entry));
  }

  private boolean agrees(StoredCheckpoint stored) {
    return Checkpoint.open(stored.note().getBytes(StandardCharsets.UTF_8), keys)
            instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, _)
        && checkpoint.size() == tree.size()
        && Arrays.equals(checkpoint.root(), tree.root());
  }

  /** The checkpoints of the journal are of one chain of origins, of which the last one counts. */
  Optional<StoredCheckpoint> newestStored() {
    return Optional.ofNullable(newest);
  }

  private void write(SegmentHeader header, Cut cut) throws IOException {
    long first = header.first();
    Path draft = SegmentFiles.draft(files.segment(first));
    try (FileChannel channel =
        FileChannel.open(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (long at = 0; at < cut.at(); at += BUFFER_BYTES) {
        int length = (int) Math.min(BUFFER_BYTES, cut.at() - at);
        files.readFully(first, at, buffer, 0, length);
        writeAll(channel, ByteBuffer.wrap(buffer, 0, length));
      }
      if (!cut.rest().isEmpty()) {
        writeAll(
            channel,
            BatchRecord.encode(new CommittedBatch(cut.rest(), null), header, ByteBuffer.allocate(0))
                .bytes());
      }
      channel.force(true);
    }
    Files.move(
        draft,
        files.segment(first),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(files.compressedSegment(first));
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  void forceDirectory() throws IOException {
    files.forceDirectory();
  }

  @Override
  public void close() {
    files.handles().close();
  }
}
