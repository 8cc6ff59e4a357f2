package gatebook.events.journal.postgres;

import gatebook.events.journal.archive.ArchiveFailure;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.checkpoint.VerifierKey;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.file.Segment;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.segment.stamp.SegmentStamp.Opening;
import gatebook.events.journal.segment.stamp.SegmentStamper;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SettledRange;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.CompactRange;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs the stamps and notes of archived ranges again that settle nothing, as those by a key that
 * was replaced. A range is fetched and read before: what the old key signed is not believed. Both
 * are in the row of the range; the archive stays as it is.
 *
 * <p>It belongs to one thread, of the node that has the lock on moving.
 */
final class ArchivedRangeStamper {
  private static final Logger log = LoggerFactory.getLogger(ArchivedRangeStamper.class);

  /** How many segments are fetched at most before partitions are moved. */
  private static final int FETCHED_MAX = 16;

  /** Rests four times as long as it works. */
  private static final int REST_FACTOR = 4;

  private final SegmentRetention retention;
  private final CheckpointKeys keys;
  private final BackgroundPace pace;

  /** The first positions of the ranges that need not be looked at again for a key. */
  private final Set<Long> seen = new HashSet<>();

  private @Nullable VerifierKey seenFor;

  ArchivedRangeStamper(SegmentRetention retention, CheckpointKeys keys, BackgroundPace pace) {
    this.retention = retention;
    this.keys = keys;
    this.pace = pace;
  }

  /**
   * Signs some of the ranges that need it, the oldest first; a node whose key is not the newest one
   * signs none.
   */
  void stamp(Connection connection) throws SQLException, IOException {
    VerifierKey key = keys.verifier();
    StoredCheckpoint newest = CheckpointReader.newest(connection);
    if (newest == null || !keys.isNewest(newest.note())) {
      return;
    }
    if (seenFor == null || !seenFor.isSameKey(key)) {
      seen.clear();
      seenFor = key;
    }
    long stamped = 0;
    try (ArchivedRows archived = new ArchivedRows(retention)) {
      for (ArchivedRange range : next(connection, key)) {
        stamped += stamp(connection, archived, range) ? 1 : 0;
      }
    }
    if (stamped > 0) {
      log.atInfo()
          .addKeyValue("segments", stamped)
          .addKeyValue("key", key.label())
          .log("archived segments of the journal were stamped again");
    }
  }

  /** The first ranges that are to be read. */
  private List<ArchivedRange> next(Connection connection, VerifierKey key) throws SQLException {
    List<Long> unseen = new ArrayList<>(firsts(connection));
    unseen.removeAll(seen);
    List<ArchivedRange> found = new ArrayList<>();
    for (int i = 0; i < unseen.size() && found.size() < FETCHED_MAX && !pace.isClosed(); i++) {
      Optional<ArchivedRange> range = range(connection, unseen.get(i));
      if (range.isPresent() && isSigned(range.get(), key)) {
        seen.add(unseen.get(i));
      } else {
        range.ifPresent(found::add);
      }
    }
    return found;
  }

  private static List<Long> firsts(Connection connection) throws SQLException {
    List<Long> firsts = new ArrayList<>();
    try (RowCursor<Long> rows =
        RowsCursor.of(
            connection,
            "SELECT first FROM journal_archive WHERE dropped_from IS NULL ORDER BY first",
            row -> row.getLong(1))) {
      for (Long first = rows.next(); first != null; first = rows.next()) {
        firsts.add(first);
      }
    }
    return firsts;
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

  /** An archive that cannot be used fails; a range that cannot be read is told, and stays. */
  private boolean stamp(Connection connection, ArchivedRows archived, ArchivedRange range)
      throws SQLException, IOException {
    if (pace.isClosed()) {
      return false;
    }
    try {
      boolean isStamped = read(connection, archived, range);
      seen.add(range.first());
      if (!isStamped && !pace.isClosed()) {
        log.atWarn()
            .addKeyValue("range", range.describe())
            .log(
                "an archived segment is not as it was written, and gets no stamp: verify the"
                    + " journal");
      }
      return isStamped;
    } catch (ArchiveFailure e) {
      throw e;
    } catch (IOException e) {
      seen.add(range.first());
      log.atWarn()
          .addKeyValue("range", range.describe())
          .addKeyValue("failure", StorageFailure.describe(e))
          .log("an archived segment of the journal cannot be read, and gets no stamp");
      return false;
    }
  }

  private boolean read(Connection connection, ArchivedRows archived, ArchivedRange range)
      throws SQLException, IOException {
    ArchivedMark mark = range.readMark();
    archived.requireInArchive(range);
    pace.begin(REST_FACTOR);
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
      return false;
    }
    byte[] note = stamp.get().signedBy(keys.signing());
    return replace(
        connection,
        range,
        ArchivedMark.encode(archived.files(), range.first(), note),
        RangeNote.sign(range.first(), range.last(), range.newestAt(), lines, keys.signing()));
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
