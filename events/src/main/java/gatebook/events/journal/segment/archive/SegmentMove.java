package gatebook.events.journal.segment.archive;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.file.SegmentFiles;
import gatebook.events.journal.segment.stamp.SegmentFileWatch;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamp.StampedFile;
import gatebook.events.journal.segment.stamp.StampFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Moves a stamped segment to the archive, in steps: its file, its index and its stamp are copied
 * and read back; its mark is written; its file is removed. After each step the segment can be read,
 * and the move can begin again.
 *
 * @param keys sign stamps
 * @param compresses whether segments go when they are compressed
 */
public record SegmentMove(
    SegmentFiles files,
    FetchedSegments fetched,
    SegmentFileWatch watch,
    CheckpointKeys keys,
    boolean compresses) {

  /** How a segment was moved. */
  enum Result {
    MOVED,

    /** It has no stamp yet, or gets none, or is not compressed yet, or was dropped: it stays. */
    NOT_READY
  }

  Result move(Segment segment) throws IOException {
    watch.moving().lock();
    try {
      return segment.dropped().isPresent() ? Result.NOT_READY : move(segment.first());
    } finally {
      watch.moving().unlock();
    }
  }

  private Result move(long first) throws IOException {
    Path file = files.readSegment(first);
    if (compresses && !SegmentFiles.isCompressed(file)) {
      return Result.NOT_READY;
    }
    Optional<Opening> opening = new StampFile(files, first, file).open(List.of(keys.verifier()));
    if (!(opening.orElse(null) instanceof Opening.Trusted(SegmentStamp stamp))) {
      return Result.NOT_READY;
    }
    byte[] note = Files.readAllBytes(files.stampOf(file, first));
    SegmentArchive archive = fetched.archive();
    store(archive, file, stamp.segmentFile());
    store(archive, files.index(first), stamp.indexFile());
    archive.put(StampFile.name(files.stampOf(file, first)), note);
    ArchivedMark.write(files, first, note);
    watch.replace(
        first,
        () -> {
          Files.delete(file);
          Files.deleteIfExists(files.stampOf(file, first));
          files.handles().forget(file);
          files.compressed().forget(first, file);
        });
    return Result.MOVED;
  }

  private static void store(SegmentArchive archive, Path file, StampedFile stamped)
      throws IOException {
    archive.store(file, StampFile.name(file), stamped.sha256());
  }
}
