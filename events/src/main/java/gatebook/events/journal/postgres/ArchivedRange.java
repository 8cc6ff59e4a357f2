package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A range of events without rows, whose leaves are in the database: it is in the archive as a
 * segment, or its events were dropped for good. The rows of an archived range may still be there;
 * if they are, they are read.
 *
 * @param newestAt the time of its newest event; when it is dropped, of what was dropped with it
 * @param mark the bytes of an {@link ArchivedMark}; of a dropped range until it has left the
 *     archive, and then empty
 * @param note signed, see {@link RangeNote}
 * @param droppedFrom the first position that was dropped with it; 0 when it is not dropped
 * @param leafBytes how many bytes of leaves are in the database
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ArchivedRange(
    long first,
    long last,
    String newestAt,
    byte[] mark,
    String note,
    long droppedFrom,
    long leafBytes) {
  static final String COLUMNS =
      "a.first, a.last, a.newest_at, a.mark, a.note, a.dropped_from, length(a.leaves)";

  static ArchivedRange of(ResultSet row) throws SQLException {
    return new ArchivedRange(
        row.getLong(1),
        row.getLong(2),
        row.getString(3),
        row.getBytes(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7));
  }

  boolean isDropped() {
    return droppedFrom > 0;
  }

  /** Fails unless there is a leaf for each position. */
  void requireLeaves() throws IOException {
    if (first < 1
        || leafBytes % Sha256.BYTES != 0
        || leafBytes / Sha256.BYTES - 1 != last - first) {
      throw damaged("has not the leaves of these events");
    }
  }

  ArchivedMark readMark() throws IOException {
    return ArchivedMark.decode(mark).orElseThrow(() -> damaged("has a damaged mark"));
  }

  /** What the stamp says, whoever signed it: what is read from the archive is compared with it. */
  SegmentStamp stamp() throws IOException {
    return SegmentStamp.unverified(readMark().stamp())
        .filter(it -> it.settled().first() == first && it.settled().last() == last)
        .orElseThrow(() -> damaged("has a damaged stamp"));
  }

  private IOException damaged(String how) {
    return new IOException(
        "the row of table journal_archive for events %d to %d %s".formatted(first, last, how));
  }

  /** For operators. */
  String describe() {
    return (isDropped() ? "dropped events %d to %d" : "events %d to %d in the archive")
        .formatted(first, last);
  }
}
