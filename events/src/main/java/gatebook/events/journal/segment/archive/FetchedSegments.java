package gatebook.events.journal.segment.archive;

import gatebook.events.journal.archive.ArchiveTarget;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.ArchivedSegments;
import gatebook.events.journal.segment.file.CompressedSegments;
import gatebook.events.journal.segment.file.ReadHandles;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Segments that are fetched from the archive to be read. A bounded number of them stays on the disk
 * until it is closed. What is read has the digest that the stamp of the segment says.
 */
public final class FetchedSegments implements ArchivedSegments {
  private static final Logger log = LoggerFactory.getLogger(FetchedSegments.class);

  /** So many threads as a verification has read one each. */
  private static final int FETCHED_MAX =
      Math.max(8, 2 * Runtime.getRuntime().availableProcessors());

  /** A file may be removed just before it is read, since others were fetched. */
  private static final int ATTEMPTS_MAX = 3;

  private static final float LOAD = 0.75f;

  private final SegmentArchive archive;
  private final Supplier<Optional<Path>> parent;
  private final ReadHandles handles = new ReadHandles();
  private final CompressedSegments compressed = new CompressedSegments(handles);

  /** The files that were used last are the last in the map. */
  private final Map<Long, Fetched> fetched = new LinkedHashMap<>(FETCHED_MAX, LOAD, true);

  private @Nullable Path directory;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Fetched(Path file, byte[] sha256) {}

  /**
   * @param parent where the directory of the files is made; empty for that of the system
   */
  public FetchedSegments(SegmentRetention retention, Supplier<Optional<Path>> parent) {
    this.archive = new SegmentArchive(retention.archive());
    this.parent = parent;
  }

  public SegmentArchive archive() {
    return archive;
  }

  @Override
  public void readFully(ArchivedMark mark, long position, byte[] bytes, int from, int length)
      throws IOException {
    SegmentStamp stamp = stamp(mark);
    long first = stamp.settled().first();
    for (int attempt = 1; ; attempt++) {
      Path file = file(stamp);
      try {
        if (SegmentFiles.isCompressed(file)) {
          compressed.readFully(first, file, position, bytes, from, length);
        } else {
          handles.readFully(file, position, bytes, from, length);
        }
        return;
      } catch (FileNotFoundException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
        remove(first);
      }
    }
  }

  private static SegmentStamp stamp(ArchivedMark mark) throws IOException {
    return SegmentStamp.unverified(mark.stamp())
        .orElseThrow(() -> new IOException("the stamp of the archived segment is damaged"));
  }

  private synchronized Path file(SegmentStamp stamp) throws IOException {
    long first = stamp.settled().first();
    Fetched known = fetched.get(first);
    if (known != null && Arrays.equals(known.sha256(), stamp.segmentFile().sha256())) {
      return known.file();
    }
    remove(first); // its mark says another file now
    Path file = directory().resolve(stamp.segment());
    fetch(stamp, file);
    fetched.put(first, new Fetched(file, stamp.segmentFile().sha256()));
    while (fetched.size() > FETCHED_MAX) {
      remove(fetched.keySet().iterator().next());
    }
    return file;
  }

  private Path directory() throws IOException {
    Path known = directory;
    if (known == null) {
      Optional<Path> in = parent.get();
      known =
          in.isPresent()
              ? Files.createTempDirectory(in.get(), SegmentFiles.FETCHED)
              : Files.createTempDirectory("gatebook-" + SegmentFiles.FETCHED);
      directory = known;
    }
    return known;
  }

  private void fetch(SegmentStamp stamp, Path file) throws IOException {
    ArchiveTarget target = archive.target();
    String object = SegmentArchive.object(stamp.segment());
    log.atInfo()
        .addKeyValue("archive", target.describe())
        .addKeyValue("object", object)
        .log("a segment of the journal is fetched from the archive");
    archive.fetch(stamp.segment(), stamp.segmentFile().sha256(), file);
  }

  /** Removes the file of a segment from this disk, if it is there. */
  public void forget(long first) throws IOException {
    remove(first);
  }

  private synchronized void remove(long first) throws IOException {
    Fetched removed = fetched.remove(first);
    if (removed != null) {
      compressed.forget(first, removed.file());
      Files.deleteIfExists(removed.file());
    }
  }

  @Override
  public void requireInArchive(ArchivedMark mark) throws IOException {
    SegmentStamp stamp = stamp(mark);
    ArchiveTarget target = archive.target();
    String object = SegmentArchive.object(stamp.segment());
    OptionalLong bytes = target.size(object);
    if (bytes.isEmpty()) {
      throw SegmentArchive.missing(target, object);
    }
    if (bytes.getAsLong() != stamp.segmentFile().state().bytes()) {
      throw new IOException(
          "%s in the archive %s has another length than what was archived"
              .formatted(object, target.describe()));
    }
  }

  @Override
  public synchronized void close() {
    handles.close();
    archive.close();
    Path used = directory;
    if (used != null) {
      try {
        for (Fetched it : fetched.values()) {
          Files.deleteIfExists(it.file());
        }
        Files.deleteIfExists(used);
      } catch (IOException _) {
        // the next start removes them
      }
    }
  }
}
