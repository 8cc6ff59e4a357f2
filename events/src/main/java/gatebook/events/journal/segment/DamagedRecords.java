package gatebook.events.journal.segment;

import gatebook.events.journal.segment.file.BatchRecord;
import gatebook.events.journal.segment.file.SegmentScan;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotPart.DamagedRecord;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The damaged records of a segment: those whose checksum is wrong, and those in damaged blocks of
 * its compressed file.
 */
final class DamagedRecords implements RowCursor<DamagedRecord> {
  private final SegmentScan scan;
  private final String file;
  private final long last;
  private final ArrayDeque<DamagedRecord> found = new ArrayDeque<>();
  private boolean isAtEnd;

  /**
   * @param file the name of the segment's file
   * @param last the position before the next segment; the highest number when there is none
   */
  DamagedRecords(SegmentScan scan, String file, long last) {
    this.scan = scan;
    this.file = file;
    this.last = last;
  }

  @Override
  public @Nullable DamagedRecord next() {
    try {
      while (found.isEmpty() && !isAtEnd) {
        BatchRecord record = scan.next();
        isAtEnd = record == null;
        scan.lost().ifPresent(this::addLost);
        if (record != null && !record.intact()) {
          found.add(new DamagedRecord(record.first(), record.next() - 1, at(record.at())));
        }
        if (isAtEnd && found.isEmpty() && scan.nextPosition() <= last && last < Long.MAX_VALUE) {
          found.add(
              new DamagedRecord(scan.nextPosition(), last, "no record follows " + at(scan.end())));
        }
      }
    } catch (IOException e) {
      throw SegmentSnapshot.unreadable(e);
    }
    return found.poll();
  }

  /** How many events are missing at the end of the last segment is not known. */
  private void addLost(DamagedRecord lost) {
    long to = Math.min(lost.to(), last);
    if (to < Long.MAX_VALUE) {
      found.add(new DamagedRecord(lost.from(), to, lost.where()));
    }
  }

  /** A place in the bytes of the segment, which its compressed file has packed. */
  private String at(long offset) {
    return "byte %d of %s%s"
        .formatted(offset, file, file.endsWith(".z") ? " as it was before" : "");
  }

  @Override
  public void close() {
    found.clear();
    isAtEnd = true;
  }
}
