package gatebook.events.journal.segment.file;

import gatebook.events.journal.segment.file.SegmentIndex.CheckpointPlace;
import gatebook.events.journal.segment.file.SegmentIndex.TagLine;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.Sha256;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A segment: a file with the records of consecutive events, and its index. Any thread may read it.
 *
 * <p>The segment that is written has its index in memory. A sealed one opens its index file when it
 * is first needed; one that is missing or damaged is made again from the segment.
 */
public final class Segment {
  private static final Logger log = LoggerFactory.getLogger(Segment.class);
  private static final int READ_BYTES_MAX = 1 << 18;

  private final SegmentFiles files;
  private final long first;
  private final boolean writesIndex;
  private volatile @Nullable SegmentHeader header;
  private volatile @Nullable SegmentIndex index;

  private Segment(
      SegmentFiles files,
      long first,
      @Nullable SegmentHeader header,
      @Nullable SegmentIndex index,
      boolean writesIndex) {
    this.files = files;
    this.first = first;
    this.header = header;
    this.index = index;
    this.writesIndex = writesIndex;
  }

  public static Segment sealed(SegmentFiles files, long first) {
    return new Segment(files, first, null, null, true);
  }

  /** A sealed segment of a journal of which nothing is written, not even a missing index. */
  public static Segment readOnly(SegmentFiles files, long first) {
    return new Segment(files, first, null, null, false);
  }

  public static Segment active(SegmentFiles files, SegmentHeader header, MemoryIndex index) {
    return new Segment(files, header.first(), header, index, true);
  }

  /** The position of its first event. */
  public long first() {
    return first;
  }

  /** The file from which it is read. */
  public Path file() {
    return files.readSegment(first);
  }

  /** The highest position of an event; one less than the first when there is none. */
  long last() throws IOException {
    return first + index().extent().count() - 1;
  }

  SegmentHeader header() throws IOException {
    SegmentHeader known = header;
    return known == null ? readHeader() : known;
  }

  private synchronized SegmentHeader readHeader() throws IOException {
    SegmentHeader read = header;
    if (read == null) {
      read = files.readableHeader(first);
      header = read;
    }
    return read;
  }

  /** What was dropped of it; empty when every event is whole. */
  public Optional<SegmentHeader.Dropped> dropped() throws IOException {
    return Optional.ofNullable(header().dropped());
  }

  /**
   * Adds the leaves from one position to another, also of events that are dropped.
   *
   * @param leaves those of the positions after {@code after}, up to {@code from} or less
   */
  void addLeaves(long after, long from, long to, List<byte[]> leaves) throws IOException {
    int before = leaves.size();
    boolean isDropped = dropped().isPresent();
    addLeaves(isDropped, after, from, to, leaves);
    if (isDropped != dropped().isPresent()) { // its events were dropped meanwhile
      leaves.subList(before, leaves.size()).clear();
      addLeaves(!isDropped, after, from, to, leaves);
    }
  }

  private void addLeaves(boolean isDropped, long after, long from, long to, List<byte[]> leaves)
      throws IOException {
    LeafHasher hasher = new LeafHasher();
    Predicate<Entry> adding =
        entry -> {
          if (entry.position() >= from && entry.position() <= to) {
            hasher.addMissing(leaves, after, entry.position() - 1);
            leaves.add(Arrays.copyOf(entry.leaf(), Sha256.BYTES));
          }
          return entry.position() >= to;
        };
    if (!isDropped) {
      read(from, to, adding);
      return;
    }
    SegmentScan scan = files.scan(header(), files.size(first));
    BatchRecord record = scan.next();
    while (record != null && !record.entries().stream().anyMatch(adding)) {
      record = scan.next();
    }
  }

  /** Its file was replaced by one with other bytes: it is read anew, and gets another index. */
  public synchronized void readAnew() throws IOException {
    forget();
    store(scan());
  }

  private synchronized void forget() {
    header = null;
    index = null;
    files.forgetIndex(first);
  }

  /** Whether its file was replaced since its header was read. */
  private boolean isReplaced() throws IOException {
    SegmentHeader known = header;
    return known != null && files.readableHeader(first).salt() != known.salt();
  }

  private IOException damaged(String how) {
    return new IOException("the segment %s %s".formatted(file().getFileName(), how));
  }

  public SegmentIndex index() throws IOException {
    SegmentIndex known = index;
    return known == null ? openIndex() : known;
  }

  private synchronized SegmentIndex openIndex() throws IOException {
    SegmentIndex opened = index;
    if (opened != null) {
      return opened;
    }
    try {
      opened = files.openIndex(header());
      index = opened;
      return opened;
    } catch (IndexPages.Damaged | EOFException | FileNotFoundException e) {
      return indexMadeAgain(e);
    }
  }

  private synchronized SegmentIndex indexMadeAgain(IOException reason) throws IOException {
    MemoryIndex scanned = scan();
    if (!writesIndex) {
      return scanned;
    }
    log.atWarn()
        .addKeyValue("file", files.index(first))
        .addKeyValue("reason", reason.getMessage())
        .log("an index of the journal is made again from its segment");
    try {
      return store(scanned);
    } catch (IOException e) {
      index = scanned; // the disk is full, perhaps, and the journal can be read all the same
      return scanned;
    }
  }

  private MemoryIndex scan() throws IOException {
    MemoryIndex scanned = scanOnce();
    if (isReplaced()) { // while it was read
      header = null;
      scanned = scanOnce();
    }
    return scanned;
  }

  private MemoryIndex scanOnce() throws IOException {
    MemoryIndex scanned = new MemoryIndex(first);
    SegmentScan scan = files.scan(header(), files.size(first));
    for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
      scanned.add(record);
    }
    return scanned;
  }

  /** Writes the index of a segment that does not grow any longer, and keeps it in its file only. */
  public void seal() throws IOException {
    if (index instanceof MemoryIndex grown) {
      store(grown);
    }
  }

  private synchronized SegmentIndex store(MemoryIndex grown) throws IOException {
    IndexPages.write(files.index(first), IndexContent.of(grown, header()));
    files.forgetIndex(first);
    SegmentIndex stored = files.openIndex(header());
    index = stored;
    return stored;
  }

  /**
   * Uses the index; one that turns out to be damaged is made again first. When another one took its
   * place meanwhile, what was read may be of both, and that one is used.
   */
  private <T> T with(IndexUse<T> use) throws IOException {
    boolean isMadeAgain = false;
    while (true) {
      SegmentIndex used = index();
      try {
        T result = use.of(used);
        if (index == used || !writesIndex) {
          return result;
        }
      } catch (IndexPages.Damaged | EOFException e) {
        if (isMadeAgain) {
          throw e;
        }
        if (!writesIndex) {
          return use.of(indexMadeAgain(e));
        }
        isMadeAgain = makeIndexAgain(used, e);
      }
    }
  }

  /** Unless another one took its place meanwhile. */
  private synchronized boolean makeIndexAgain(SegmentIndex damaged, IOException reason)
      throws IOException {
    boolean isInPlace = index == damaged;
    if (isInPlace) {
      index = indexMadeAgain(reason);
    }
    return isInPlace;
  }

  /** A use of the index. */
  @FunctionalInterface
  private interface IndexUse<T> {
    T of(SegmentIndex index) throws IOException;
  }

  /** Whether an event may have a tag, as far as the index tells. */
  public boolean mayContain(String tag) throws IOException {
    return mayContain(TagHash.of(tag));
  }

  boolean mayContain(TagHash tag) throws IOException {
    return with(it -> it.mayContain(tag));
  }

  /**
   * Adds the first positions of the events with a tag that are after {@code after} up to {@code
   * upTo}.
   */
  void addPositions(TagHash tag, long after, long upTo, int limit, Set<Long> positions)
      throws IOException {
    List<TagLine> lines = with(it -> it.lines(tag));
    int left = limit;
    for (TagLine line : lines) {
      long to = Math.min(first + line.last(), upTo);
      for (long at = Math.max(first + line.first(), after + 1); at <= to && left > 0; at++) {
        positions.add(at);
        left--;
      }
    }
  }

  /** All lines of the index that a lookup of their tags finds. */
  public List<IndexedTag> linesFound() throws IOException {
    return with(it ->
        switch (it) {
          case StoredIndex stored -> stored.linesFound();
          case MemoryIndex grown -> grown.linesFound();
        });
  }

  /** Reads the entries from one position to another, until {@code isEnough}. */
  void read(long from, long to, Predicate<Entry> isEnough) throws IOException {
    long[] next = {from};
    Predicate<Entry> noting =
        entry -> {
          next[0] = entry.position() + 1;
          return isEnough.test(entry);
        };
    try {
      readOnce(from, to, noting);
    } catch (IOException e) {
      if (!isReplaced()) {
        throw e;
      }
      forget();
      readOnce(next[0], to, noting);
    }
  }

  private void readOnce(long from, long to, Predicate<Entry> isEnough) throws IOException {
    long last = Math.min(to, last());
    if (from > last) {
      return; // it need not be so near to the first one that the distance is a number of 32 bits
    }
    int end = (int) (last - first) + 1;
    int number = (int) (from - first);
    while (number < end) {
      int next = Math.min(end, number + 1_000);
      int start = number;
      int[] offsets = with(it -> it.offsets(start, next));
      if (read(number, offsets, isEnough)) {
        return;
      }
      number = next;
    }
  }

  /** Whether it was enough. */
  private boolean read(int number, int[] offsets, Predicate<Entry> isEnough) throws IOException {
    int i = 0;
    while (i < offsets.length - 1) {
      int end = i + 1;
      while (end < offsets.length - 1 && offsets[end] - (long) offsets[i] < READ_BYTES_MAX) {
        end++;
      }
      if (readBlock(number + i, offsets, i, end, isEnough)) {
        return true;
      }
      i = end;
    }
    return false;
  }

  private boolean readBlock(int number, int[] offsets, int from, int to, Predicate<Entry> isEnough)
      throws IOException {
    int start = nextOffset(offsets, from, to);
    if (start == SegmentIndex.MISSING) {
      return false;
    }
    int end = nextOffset(offsets, to, offsets.length);
    ByteBuffer block =
        read(start, (end == SegmentIndex.MISSING ? endOfLast(offsets, from, to) : end) - start);
    for (int i = from; i < to; i++) {
      if (offsets[i] != SegmentIndex.MISSING) {
        int at = number + i - from;
        if (isEnough.test(entry(block, offsets[i] - start, at))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Where the last one of some entries ends, when none of those after it has a place. */
  private int endOfLast(int[] offsets, int from, int to) throws IOException {
    int last = SegmentIndex.MISSING;
    for (int i = from; i < to; i++) {
      last = offsets[i] == SegmentIndex.MISSING ? last : offsets[i];
    }
    long end = last + EntryFormat.length(read(last, EntryFormat.HEAD_BYTES));
    return Math.clamp(end, last + EntryFormat.HEAD_BYTES, index().extent().end());
  }

  private static int nextOffset(int[] offsets, int from, int to) {
    for (int i = from; i < to; i++) {
      if (offsets[i] != SegmentIndex.MISSING) {
        return offsets[i];
      }
    }
    return SegmentIndex.MISSING;
  }

  private Entry entry(ByteBuffer block, int at, int number) throws IOException {
    Entry entry =
        at < 0 || at > block.limit()
            ? null
            : EntryFormat.read(block.position(at), number, first + number);
    if (entry == null || entry.isDropped()) {
      throw damaged("is damaged at position %d: verify the journal".formatted(first + number));
    }
    return entry;
  }

  private ByteBuffer read(int from, int length) throws IOException {
    byte[] bytes = new byte[length];
    files.readFully(first, from, bytes, 0, length);
    return ByteBuffer.wrap(bytes);
  }

  /** The newest checkpoint that is accepted. */
  Optional<StoredCheckpoint> newestCheckpoint(Predicate<CheckpointPlace> accepted)
      throws IOException {
    List<CheckpointPlace> places = index().checkpoints();
    for (CheckpointPlace place : places.reversed()) {
      if (accepted.test(place)) {
        return Optional.of(checkpoint(place));
      }
    }
    return Optional.empty();
  }

  private StoredCheckpoint checkpoint(CheckpointPlace place) throws IOException {
    return checkpointAt(place)
        .orElseThrow(
            () -> damaged("has no checkpoint %d where its index says".formatted(place.number())));
  }

  /** The checkpoint in the record at this place; empty when there is none. */
  public Optional<StoredCheckpoint> checkpointAt(CheckpointPlace place) throws IOException {
    BatchRecord record =
        BatchRecord.decode(read(place.recordAt(), place.recordBytes()), place.recordAt(), header());
    return Optional.ofNullable(record).map(BatchRecord::checkpoint);
  }
}
