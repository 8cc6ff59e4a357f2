package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import java.io.IOException;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A range of events that is in the archive as a segment. Its rows may still be there; if they are,
 * they are read.
 *
 * @param mark the bytes of an {@link ArchivedMark}
 * @param note signed, see {@link RangeNote}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ArchivedRange(long first, long last, String newestAt, byte[] mark, String note) {
  static final String COLUMNS = "a.first, a.last, a.newest_at, a.mark, a.note";

  static ArchivedRange of(ResultSet row) throws SQLException {
    return new ArchivedRange(
        row.getLong(1), row.getLong(2), row.getString(3), row.getBytes(4), row.getString(5));
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
    return "events %d to %d in the archive".formatted(first, last);
  }
}
