package gatebook.events.journal.segment.file;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.checkpoint.Checkpoint;
import gatebook.events.journal.checkpoint.KeyHistory;
import gatebook.events.journal.checkpoint.OpenedNote;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.drop.RecordedDrop;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.SettledRange.CheckpointRun;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.CompactRange;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reading of one segment that settles its events, if each of them, each checkpoint among them
 * and the index are as they were written. What is wrong with a segment that is not settled is left
 * to a verification that looks at each event.
 */
public final class SegmentReading {
  /**
   * What was read.
   *
   * @param settled empty when anything is not as it was written
   * @param unsigned the same, whoever signed the checkpoints: a key that was replaced, perhaps
   * @param idHashes of all events
   * @param trustEvents those of {@link TrustEvents}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Result(
      Optional<SettledRange> settled,
      Optional<SettledRange> unsigned,
      long[] idHashes,
      List<Entry> trustEvents) {}

  private final SegmentFiles files;
  private final Segment segment;
  private final KeyHistory keys;
  private final @Nullable RecordedDrop drop;
  private final Consumer<Entry> visitor;
  private final LeafHasher hasher = new LeafHasher();
  private final MemoryIndex index;
  private final RightEdge before;
  private final CompactRange leaves;
  private final List<Entry> trustEvents = new ArrayList<>();
  private final SegmentHeader header;
  private final boolean hasHeader;
  private long[] idHashes = new long[1024];
  private int count;
  private long recordsEnd = SegmentHeader.BYTES;
  private @Nullable CheckpointRun checkpoints;
  private @Nullable String origin;
  private boolean isSigned = true;

  private SegmentReading(
      SegmentFiles files,
      Segment segment,
      KeyHistory keys,
      @Nullable RecordedDrop drop,
      Consumer<Entry> visitor)
      throws IOException {
    long first = segment.first();
    Optional<SegmentHeader> written = files.readHeader(first);
    this.files = files;
    this.segment = segment;
    this.keys = keys;
    this.drop = drop;
    this.visitor = visitor;
    this.header = written.isPresent() ? written.get() : files.readableHeader(first);
    this.hasHeader = written.isPresent() && header.edge().size() == first - 1;
    this.before = header.edge();
    this.index = new MemoryIndex(first);
    this.leaves = new CompactRange(first - 1);
  }

  /**
   * Reads a segment that does not change any longer.
   *
   * @param end where the segment ends
   * @param drop what is dropped of it; without it a segment with dropped events is not settled
   * @param isStopped ends the reading, which then settles nothing
   * @param visitor gets each event
   */
  public static Result ofSealed(
      SegmentFiles files,
      Segment segment,
      long end,
      KeyHistory keys,
      Optional<RecordedDrop> drop,
      BooleanSupplier isStopped,
      Consumer<Entry> visitor)
      throws IOException {
    SegmentReading reading = new SegmentReading(files, segment, keys, drop.orElse(null), visitor);
    boolean settles =
        reading.read(end, reading.hasHeader, isStopped)
            && reading.isOfDroppedRange()
            && reading.isConsistent();
    return reading.result(settles);
  }

  /** Reads the segment that is written, up to where its records ended; it is never settled. */
  public static Result ofActive(
      SegmentFiles files, Segment segment, long end, Consumer<Entry> visitor) throws IOException {
    SegmentReading reading =
        new SegmentReading(files, segment, KeyHistory.of(List.of()), null, visitor);
    reading.read(end, false, () -> false);
    return reading.result(false);
  }

  private Result result(boolean isAsWritten) {
    Optional<SettledRange> range =
        isAsWritten
            ? Optional.of(new SettledRange(before.root(), leaves, Optional.ofNullable(checkpoints)))
            : Optional.empty();
    return new Result(
        range.filter(_ -> isSigned),
        range,
        Arrays.copyOf(idHashes, count),
        List.copyOf(trustEvents));
  }

  /** Whether every record is as it was written, up to the end of the file. */
  private boolean read(long end, boolean checks, BooleanSupplier isStopped) throws IOException {
    boolean asWritten = checks;
    SegmentScan scan = files.scan(header, end);
    for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
      if (isStopped.getAsBoolean()) {
        return false;
      }
      record.entries().forEach(this::collect);
      asWritten = asWritten && isAsWritten(record);
    }
    return asWritten && recordsEnd == end && leaves.end() > leaves.begin();
  }

  private void collect(Entry entry) {
    if (entry.isDropped()) {
      return;
    }
    if (count == idHashes.length) {
      idHashes = Arrays.copyOf(idHashes, 2 * count);
    }
    visitor.accept(entry);
    idHashes[count++] = TagHash.hash(entry.id());
    if (TrustEvents.NAMES.contains(entry.name())) {
      trustEvents.add(entry);
    }
  }

  private boolean isAsWritten(BatchRecord record) {
    boolean isNext =
        record.intact() && record.at() == recordsEnd && record.first() == leaves.end() + 1;
    recordsEnd = record.end();
    if (!isNext) {
      return false;
    }
    for (Entry entry : record.entries()) {
      if (entry.isDropped() ? !isDroppedRightly(entry) : !isAsHashed(entry)) {
        return false;
      }
      leaves.append(entry.leaf());
    }
    index.add(record);
    isSigned = isSigned && (record.checkpoint() == null || isAsSigned(record.checkpoint()));
    return true;
  }

  private boolean isAsHashed(Entry entry) {
    return (drop == null || !drop.drops(entry.position()))
        && Arrays.equals(hasher.leaf(entry), entry.leaf());
  }

  private boolean isDroppedRightly(Entry entry) {
    return drop != null && drop.drops(entry.position());
  }

  /** Whether these are the events of a range of which some were dropped. */
  private boolean isOfDroppedRange() {
    RightEdge edge = before.copy();
    edge.append(leaves);
    return drop == null
        || (drop.from() == segment.first()
            && drop.to() == leaves.end()
            && Arrays.equals(drop.root(), edge.root()));
  }

  /** Whether a checkpoint is one of the tree over all events up to here, and the next one. */
  private boolean isAsSigned(StoredCheckpoint stored) {
    RightEdge edge = before.copy();
    edge.append(leaves);
    CheckpointRun run = checkpoints;
    checkpoints =
        run == null
            ? new CheckpointRun(stored.number(), stored.size(), stored.number(), stored.size())
            : new CheckpointRun(run.firstNumber(), run.firstSize(), stored.number(), stored.size());
    return stored.number() == (run == null ? Math.max(1, stored.number()) : run.lastNumber() + 1)
        && stored.size() == edge.size()
        && Arrays.equals(stored.hashes(), edge.bytes())
        && keys.open(stored.note().getBytes(UTF_8))
            instanceof OpenedNote.Valid<Checkpoint>(Checkpoint checkpoint, VerifierKey key)
        && checkpoint.origin().equals(key.name())
        && isSameOrigin(checkpoint.origin())
        && checkpoint.size() == stored.size()
        && Arrays.equals(checkpoint.root(), edge.root());
  }

  /** All checkpoints have one origin, where no event begins another. */
  private boolean isSameOrigin(String found) {
    origin = origin == null ? found : origin;
    return found.equals(origin);
  }

  /** Whether no id occurs twice, and lookups of tags find the events that have them. */
  private boolean isConsistent() throws IOException {
    long[] sorted = Arrays.copyOf(idHashes, count);
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        return false;
      }
    }
    List<IndexedTag> expected = index.linesFound();
    List<IndexedTag> found = segment.linesFound();
    return found.size() == expected.size() && new HashSet<>(found).containsAll(expected);
  }
}
