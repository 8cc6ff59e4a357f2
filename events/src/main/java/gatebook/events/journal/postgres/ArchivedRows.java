package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.archive.FetchedSegments;
import gatebook.events.journal.segment.archive.SegmentArchive;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.file.FilterMemory;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads events that are in the archive, as segments. Their marks and indexes are files of a
 * temporary directory while they are used; a bounded number of them stays until it is closed.
 */
final class ArchivedRows implements AutoCloseable {
  private static final int OPENED_MAX = 32;
  private static final float LOAD = 0.75f;
  private static final int NAME_DIGEST_BYTES = 8;

  private final FetchedSegments fetched;
  private final ReadHandles handles = new ReadHandles();

  /** The segments that were used last are the last in the map. */
  private final Map<Long, Segment> opened = new LinkedHashMap<>(OPENED_MAX, LOAD, true);

  private @Nullable SegmentFiles files;

  ArchivedRows(SegmentRetention retention) {
    this.fetched = new FetchedSegments(retention, Optional::empty);
  }

  /** A use of a segment. */
  @FunctionalInterface
  interface Use<T> {
    T of(Segments segment) throws IOException;
  }

  SegmentArchive archive() {
    return fetched.archive();
  }

  /** The name of an object: two attempts at moving the same events may write different bytes. */
  static String name(long first, StampedFile file, String extension) {
    return String.format(
        Locale.ROOT,
        "%019d-%s%s",
        first,
        HexFormat.of().formatHex(file.sha256(), 0, NAME_DIGEST_BYTES),
        extension);
  }

  static String indexName(SegmentStamp stamp) {
    return name(stamp.settled().first(), stamp.indexFile(), ".index");
  }

  static String stampName(SegmentStamp stamp) {
    return name(stamp.settled().first(), stamp.segmentFile(), ".z.stamp");
  }

  /** The names of the objects of an archived range. */
  static List<String> names(SegmentStamp stamp) {
    return List.of(stamp.segment(), indexName(stamp), stampName(stamp));
  }

  /** Fails unless the archive has the segment, as far as that is known without reading it. */
  void requireInArchive(ArchivedRange range) throws IOException {
    fetched.requireInArchive(range.readMark());
  }

  /** One caller at a time uses a segment. */
  synchronized <T> T use(ArchivedRange range, Use<T> use) throws IOException {
    Segment segment = opened.get(range.first());
    if (segment == null) {
      segment = open(range);
      opened.put(range.first(), segment);
    }
    while (opened.size() > OPENED_MAX) {
      forget(opened.keySet().iterator().next());
    }
    return use.of(new Segments(List.of(segment)));
  }

  /** The files in which the segment is found while it is used. */
  synchronized SegmentFiles files() throws IOException {
    SegmentFiles known = files;
    if (known == null) {
      known =
          new SegmentFiles(
              Files.createTempDirectory("gatebook-archived-"),
              handles,
              new FilterMemory(),
              fetched);
      files = known;
    }
    return known;
  }

  private Segment open(ArchivedRange range) throws IOException {
    SegmentStamp stamp = range.stamp();
    SegmentFiles at = files();
    archive().fetch(indexName(stamp), stamp.indexFile().sha256(), at.index(range.first()));
    Files.write(at.archivedMark(range.first()), range.mark());
    return Segment.readOnly(at, range.first());
  }

  /** Removes a segment from the archive, and from this disk. */
  synchronized void remove(ArchivedRange range) throws IOException {
    SegmentStamp stamp = range.stamp();
    for (String name : List.of(stamp.segment(), indexName(stamp), stampName(stamp))) {
      archive().remove(name);
    }
    fetched.forget(range.first());
    if (opened.containsKey(range.first())) {
      forget(range.first());
    }
  }

  private void forget(long first) throws IOException {
    opened.remove(first);
    SegmentFiles at = files();
    for (Path file : new Path[] {at.index(first), at.archivedMark(first)}) {
      handles.forget(file);
      Files.deleteIfExists(file);
    }
  }

  @Override
  public synchronized void close() {
    SegmentFiles used = files;
    if (used != null) {
      try {
        for (long first : List.copyOf(opened.keySet())) {
          forget(first);
        }
        Files.deleteIfExists(used.directory());
      } catch (IOException _) {
        // temporary files are the system's to remove
      }
    }
    handles.close();
    fetched.close();
  }
}
