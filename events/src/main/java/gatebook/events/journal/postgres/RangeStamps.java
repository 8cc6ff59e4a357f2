package gatebook.events.journal.postgres;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.archive.ArchivedStamper;
import gatebook.events.journal.segment.archive.ArchivedStamper.Result;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.CompactRange;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The stamps and notes of archived ranges, in the rows of the ranges. Both are signed when a range
 * was fetched and read.
 *
 * <p>They belong to one thread, of the node that has the lock on moving.
 *
 * @param archived takes the ranges that are read
 * @param lock on moving
 */
record RangeStamps(
    Connection connection,
    ArchivedRows archived,
    CheckpointKeys keys,
    BackgroundPace pace,
    Lock lock)
    implements ArchivedStamper.Stamps<SQLException> {

  /** A lock that others may wait for. */
  @FunctionalInterface
  interface Lock {
    /** Lets others have it first; whether this node has it still. */
    boolean isKept() throws SQLException;
  }

  @Override
  public boolean mayGoOn() throws SQLException {
    return lock.isKept();
  }

  /** None when the key of this node is not the newest one. */
  @Override
  public List<Long> firsts() throws SQLException {
    StoredCheckpoint newest = CheckpointReader.newest(connection);
    return newest == null || !keys.isNewest(newest.note())
        ? List.of()
        : RowsCursor.all(
            connection,
            "SELECT first FROM journal_archive WHERE dropped_from IS NULL ORDER BY first",
            row -> row.getLong(1));
  }

  @Override
  public Result stamp(long first) throws SQLException, IOException {
    Optional<ArchivedRange> range = range(connection, first);
    if (range.isEmpty()) {
      return Result.REPLACED;
    }
    return isSigned(range.get(), keys.verifier()) ? Result.CURRENT : read(range.get());
  }

  private static Optional<ArchivedRange> range(Connection connection, long first)
      throws SQLException {
    try (RowCursor<ArchivedRange> rows =
        RowsCursor.of(
            connection,
            "SELECT " + ArchivedRange.COLUMNS + " FROM journal_archive a WHERE a.first = ?",
            ArchivedRange::of,
            first)) {
      return rows.last();
    }
  }

  /** Whether what is signed is what is there is left to a verification. */
  private static boolean isSigned(ArchivedRange range, VerifierKey key) {
    return ArchivedMark.decode(range.mark())
            .filter(
                mark -> SegmentStamp.open(mark.stamp(), List.of(key)) instanceof Opening.Trusted)
            .isPresent()
        && RangeNote.isBy(range, key);
  }

  private Result read(ArchivedRange range) throws SQLException, IOException {
    ArchivedMark mark = range.readMark();
    archived.requireInArchive(range);
    List<IndexedTag> lines = lines(connection, range);
    Optional<SegmentStamp> stamp =
        archived.use(
            range,
            segments -> {
              Segment segment = segments.all().getFirst();
              return segment.index().newestAt().equals(range.newestAt())
                      && joined(segment.linesFound()).equals(joined(lines))
                  ? SegmentStamper.stampArchived(archived.files(), mark, keys, pace)
                  : Optional.empty();
            });
    if (stamp.isEmpty() || !hasLeaves(connection, range, stamp.get().settled())) {
      return Result.REFUSED;
    }
    byte[] note = stamp.get().signedBy(keys.signing());
    return replace(
            connection,
            range,
            ArchivedMark.encode(archived.files(), range.first(), note),
            RangeNote.sign(range.first(), range.last(), range.newestAt(), lines, keys.signing()))
        ? Result.STAMPED
        : Result.REPLACED;
  }

  /** Whether the leaves that stayed in the database are those of the events. */
  private static boolean hasLeaves(Connection connection, ArchivedRange range, SettledRange settled)
      throws SQLException {
    CompactRange leaves = new CompactRange(range.first() - 1);
    StoredEntries.leaves(connection, range.first() - 1, range.last()).forEach(leaves::append);
    return settled.hasSameTree(
        new SettledRange(settled.rootBefore(), leaves, settled.checkpoints()));
  }

  /** Replaces what was read, unless it was replaced or removed meanwhile. */
  private static boolean replace(
      Connection connection, ArchivedRange range, byte[] mark, String note) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement(
            "UPDATE journal_archive SET mark = ?, note = ?"
                + " WHERE first = ? AND last = ? AND newest_at = ? AND mark = ?")) {
      update.setBytes(1, mark);
      update.setString(2, note);
      update.setLong(3, range.first());
      update.setLong(4, range.last());
      update.setString(5, range.newestAt());
      update.setBytes(6, range.mark());
      return update.executeUpdate() == 1;
    }
  }

  /** The lines of the tag index, as far as they are in the range. */
  private static List<IndexedTag> lines(Connection connection, ArchivedRange range)
      throws SQLException {
    List<IndexedTag> found = new ArrayList<>();
    try (RowCursor<IndexedTag> lines =
        RowsCursor.of(
            connection,
            "SELECT tag, GREATEST(position, ?), LEAST(last, ?) FROM journal_tag"
                + " WHERE position <= ? AND last >= ? AND position > ?",
            row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)),
            range.first(),
            range.last(),
            range.last(),
            range.first(),
            range.first() - IndexedTag.EVENTS_MAX)) {
      for (IndexedTag line = lines.next(); line != null; line = lines.next()) {
        found.add(line);
      }
    }
    return found;
  }

  /** The same lines, where those that follow each other are one. */
  private static List<IndexedTag> joined(List<IndexedTag> lines) {
    List<IndexedTag> joined = new ArrayList<>();
    for (IndexedTag line :
        lines.stream()
            .sorted(Comparator.comparing(IndexedTag::tag).thenComparingLong(IndexedTag::first))
            .toList()) {
      IndexedTag before = joined.isEmpty() ? null : joined.getLast();
      if (before != null && before.tag().equals(line.tag()) && before.last() + 1 == line.first()) {
        joined.set(joined.size() - 1, new IndexedTag(line.tag(), before.first(), line.last()));
      } else {
        joined.add(line);
      }
    }
    return joined;
  }
}
