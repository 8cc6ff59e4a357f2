package gatebook.events.journal.postgres;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.MemoryIndex;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.SegmentCompressor;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.storage.TagText;
import gatebook.events.journal.tree.RightEdge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of consecutive events, and the checkpoints among them, to a segment in a
 * temporary directory: compressed, with its index and its stamp. What is not as it was written gets
 * no stamp.
 *
 * <p>It belongs to one thread, and is closed when the files were used.
 */
final class RowExport implements AutoCloseable {
  private static final int PAGE = 64;

  private final Connection connection;
  private final CheckpointKeys keys;
  private final JournalLimits limits;
  private final BackgroundPace pace;
  private final SegmentFiles files;
  private final Set<IndexedTag> lines = new HashSet<>();
  private final ByteArrayOutputStream leaves = new ByteArrayOutputStream();
  private ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private long position;
  private boolean isAsWritten = true;

  /** The edge behind the events that were written. */
  private final RightEdge edge;

  RowExport(
      Connection connection,
      CheckpointKeys keys,
      JournalLimits limits,
      BackgroundPace pace,
      RightEdge before)
      throws IOException {
    this.connection = connection;
    this.keys = keys;
    this.limits = limits;
    this.pace = pace;
    this.edge = before.copy();
    this.position = before.size();
    this.files =
        new SegmentFiles(
            Files.createTempDirectory("gatebook-export-"), new ReadHandles(), new FilterMemory());
  }

  /**
   * What was written.
   *
   * @param stampNote the stamp, signed
   * @param newestAt the time of the newest event
   * @param leaves of all events, one after the other
   * @param rangeNote signed, see {@link RangeNote}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Written(
      SegmentStamp stamp,
      Path segment,
      Path index,
      byte[] stampNote,
      byte[] mark,
      String newestAt,
      byte[] leaves,
      String rangeNote) {}

  /**
   * Writes a segment, which ends with the last event or when it is long enough.
   *
   * @param salt of the segment: the same one for the same events, so that the same bytes are
   *     written after an attempt that was interrupted
   * @return empty when anything is not as it was written
   */
  Optional<Written> write(long last, long salt) throws SQLException, IOException {
    long first = position + 1;
    SegmentHeader header = new SegmentHeader(first, salt, edge.copy());
    MemoryIndex index = new MemoryIndex(first);
    try (FileChannel channel =
            FileChannel.open(
                files.segment(first), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        Checkpoints checkpoints = new Checkpoints(connection, first, last)) {
      write(channel, header.encode());
      while (isAsWritten && position < last && channel.position() < limits.segmentBytesMax()) {
        writePage(channel, header, index, checkpoints, last);
      }
    }
    return isAsWritten && !pace.isClosed() ? stamped(header, index) : Optional.empty();
  }

  private void writePage(
      FileChannel channel,
      SegmentHeader header,
      MemoryIndex index,
      Checkpoints checkpoints,
      long last)
      throws SQLException, IOException {
    List<Entry> page =
        EntryReader.JOURNAL.range(connection, position, Math.min(last, position + PAGE), PAGE);
    if (page.isEmpty()
        || page.getFirst().position() != position + 1
        || page.getLast().position() != position + page.size()
        || !hasTags(page)) {
      isAsWritten = false;
      return;
    }
    int from = 0;
    for (StoredCheckpoint it = checkpoints.upTo(page.getLast().position());
        it != null;
        it = checkpoints.upTo(page.getLast().position())) {
      int to = Math.max(from, (int) (it.size() - page.getFirst().position()) + 1);
      write(channel, header, index, new CommittedBatch(page.subList(from, to), it));
      from = to;
    }
    if (from < page.size()) {
      write(channel, header, index, new CommittedBatch(page.subList(from, page.size()), null));
    }
    position = page.getLast().position();
    if (pace.isClosedAfterRest()) {
      isAsWritten = false;
    }
  }

  private void write(
      FileChannel channel, SegmentHeader header, MemoryIndex index, CommittedBatch batch)
      throws IOException {
    BatchRecord.Encoded record = BatchRecord.encode(batch, header, buffer);
    buffer = record.bytes().capacity() > buffer.capacity() ? record.bytes() : buffer;
    int at = (int) channel.position();
    int[] offsets = record.offsets();
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] += at;
    }
    index.add(batch.entries(), offsets, batch.checkpoint(), at, record.bytes().limit());
    write(channel, record.bytes());
    for (Entry entry : batch.entries()) {
      leaves.writeBytes(entry.leaf());
      edge.append(entry.leaf());
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Whether the tag index has each tag of these entries; remembers its lines. */
  private boolean hasTags(List<Entry> page) throws SQLException {
    Set<String> tags = new HashSet<>();
    page.forEach(entry -> tags.addAll(TagText.lines(entry.tags())));
    if (tags.isEmpty()) {
      return true;
    }
    Set<String> found = new HashSet<>();
    try (RowCursor<IndexedTag> cursor =
        RowsCursor.of(
            connection,
            "SELECT tag, position, last FROM journal_tag"
                + " WHERE tag = ANY (?) AND position > ? AND position <= ? AND last >= ?",
            row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)),
            connection.createArrayOf("text", tags.toArray()),
            page.getFirst().position() - IndexedTag.EVENTS_MAX,
            page.getLast().position(),
            page.getFirst().position())) {
      for (IndexedTag line = cursor.next(); line != null; line = cursor.next()) {
        lines.add(line);
        for (long at = Math.max(line.first(), page.getFirst().position());
            at <= Math.min(line.last(), page.getLast().position());
            at++) {
          found.add(at + " " + line.tag());
        }
      }
    }
    return page.stream()
        .allMatch(entry ->
            TagText.lines(entry.tags()).stream()
                .allMatch(tag -> found.contains(entry.position() + " " + tag)));
  }

  private Optional<Written> stamped(SegmentHeader header, MemoryIndex index) throws IOException {
    long first = header.first();
    String newestAt = index.newestAt();
    Segment.active(files, header, index).seal();
    SegmentCompressor compressor = new SegmentCompressor(files, limits.segmentBlockBytesMax());
    if (compressor.writeDraft(first, pace).isEmpty()) {
      return Optional.empty();
    }
    compressor.putInPlace(first);
    compressor.removePlain(first);
    Optional<SegmentStamp> stamp = SegmentStamper.stamp(files, first, keys, Optional.empty(), pace);
    if (stamp.isEmpty()) {
      return Optional.empty();
    }
    SegmentStamp named = named(stamp.get());
    byte[] note = named.signedBy(keys.signing());
    return Optional.of(
        new Written(
            named,
            files.compressedSegment(first),
            files.index(first),
            note,
            ArchivedMark.encode(files, first, note),
            newestAt,
            leaves.toByteArray(),
            RangeNote.sign(first, position, newestAt, clipped(first), keys.signing())));
  }

  private static SegmentStamp named(SegmentStamp stamp) {
    return new SegmentStamp(
        stamp.origin(),
        ArchivedRows.name(stamp.settled().first(), stamp.segmentFile(), ".segment.z"),
        stamp.settled(),
        stamp.segmentFile(),
        stamp.indexFile(),
        stamp.at());
  }

  private List<IndexedTag> clipped(long first) {
    return lines.stream()
        .filter(line -> line.last() >= first && line.first() <= position)
        .map(line ->
            new IndexedTag(
                line.tag(), Math.max(first, line.first()), Math.min(position, line.last())))
        .toList();
  }

  @Override
  public void close() {
    files.handles().close();
    try {
      try (DirectoryStream<Path> found = Files.newDirectoryStream(files.directory())) {
        for (Path file : found) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(files.directory());
    } catch (IOException _) {
      // temporary files are the system's to remove
    }
  }

  /** The checkpoints over these events, and with the first event that over none. */
  private static final class Checkpoints implements AutoCloseable {
    private final RowCursor<StoredCheckpoint> rows;
    private @Nullable StoredCheckpoint next;

    Checkpoints(Connection connection, long first, long last) throws SQLException {
      this.rows =
          RowsCursor.of(
              connection,
              "SELECT number, size, note, hashes FROM journal_checkpoint"
                  + " WHERE size >= ? AND size <= ? ORDER BY number",
              CheckpointReader::of,
              first == 1 ? 0 : first,
              last);
      this.next = rows.next();
    }

    /** The next one, if it is over so many events at most. */
    @Nullable StoredCheckpoint upTo(long size) {
      StoredCheckpoint due = next;
      if (due == null || due.size() > size) {
        return null;
      }
      next = rows.next();
      return due;
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
