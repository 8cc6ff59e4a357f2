package gatebook.events.journal.segment.archive;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.file.SegmentHeader.Dropped;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.segment.stamp.SegmentFileWatch;
import gatebook.events.journal.storage.DroppableEvents.OldestRange;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Drops the events of a segment: writes it anew, with the kept events as they are and the leaves of
 * the others, in the place of its file. After each step the segment can be read, and an index or a
 * stamp that does not fit the new file is made again.
 */
public record SegmentDrop(SegmentFiles files, FetchedSegments fetched, SegmentFileWatch watch) {

  /**
   * Drops the events of a segment, unless that is done.
   *
   * @throws IOException if its events are not those that are to be dropped
   */
  public void drop(Segment segment, OldestRange range, LongPredicate isKept, long keptCount)
      throws IOException {
    watch.moving().lock();
    try {
      if (segment.dropped().isEmpty()) {
        writeAnew(segment, range, isKept, keptCount);
      }
    } finally {
      watch.moving().unlock();
    }
  }

  private void writeAnew(Segment segment, OldestRange range, LongPredicate isKept, long keptCount)
      throws IOException {
    long first = segment.first();
    Path draft = SegmentFiles.draft(files.segment(first));
    try {
      write(draft, range, isKept, keptCount);
      watch.replace(first, () -> replace(segment, draft));
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private void replace(Segment segment, Path draft) throws IOException {
    long first = segment.first();
    Path plain = files.segment(first);
    Files.move(draft, plain, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    files.forceDirectory();
    Path compressed = files.compressedSegment(first);
    Files.deleteIfExists(compressed);
    Files.deleteIfExists(files.stampOf(plain, first));
    Files.deleteIfExists(files.stampOf(compressed, first));
    files.handles().forget(plain);
    files.compressed().forget(first, compressed);
    segment.readAnew();
  }

  private void write(Path draft, OldestRange range, LongPredicate isKept, long keptCount)
      throws IOException {
    long first = range.from();
    SegmentHeader old = files.readableHeader(first);
    Dropped dropped =
        new Dropped(range.newestAt().toString(), range.to() - range.from() + 1 - keptCount);
    SegmentHeader header = old.without(dropped);
    RightEdge tree = old.edge().copy();
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      writeAll(channel, header.encode());
      SegmentScan scan = files.scan(old, files.size(first));
      for (BatchRecord record = scan.next(); record != null; record = scan.next()) {
        if (!record.intact() || record.first() != tree.size() + 1) {
          throw changed(first);
        }
        List<Entry> entries = left(record, isKept, tree);
        writeAll(
            channel,
            BatchRecord.encode(
                    new CommittedBatch(entries, record.checkpoint()),
                    header,
                    ByteBuffer.allocate(0))
                .bytes());
      }
      channel.force(true);
    }
    if (tree.size() != range.to() || !Arrays.equals(tree.root(), range.root())) {
      throw changed(first);
    }
  }

  /** What is left of the entries of a record, whose leaves are added to the tree. */
  private static List<Entry> left(BatchRecord record, LongPredicate isKept, RightEdge tree) {
    LeafHasher hasher = new LeafHasher();
    List<Entry> left = new ArrayList<>(record.entries().size());
    for (Entry entry : record.entries()) {
      byte[] leaf = hasher.leaf(entry);
      tree.append(leaf);
      left.add(isKept.test(entry.position()) ? entry : Entry.dropped(entry.position(), leaf));
    }
    return left;
  }

  private IOException changed(long first) {
    return new IOException(
        "%s is not what was signed, and its events are not dropped: verify the journal"
            .formatted(files.readSegment(first).getFileName()));
  }

  private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Removes the objects of a segment that was archived before its events were dropped, and then its
   * mark.
   */
  public void removeArchived(long first) throws IOException {
    Path markFile = files.archivedMark(first);
    if (Files.notExists(markFile)) {
      return;
    }
    for (String name : SegmentArchive.names(files, first, files.mark(first))) {
      fetched.archive().remove(name);
    }
    Files.delete(markFile);
    files.forceDirectory();
  }
}
