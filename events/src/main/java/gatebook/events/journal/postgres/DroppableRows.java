package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.ArchivedMark;
import gatebook.events.journal.segment.stamp.SegmentStamp;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rows of partitions, from the oldest on, as ranges of events that can be dropped.
 *
 * <p>Of a partition that is in the archive, each segment is a range. One process at a time drops
 * and moves.
 */
final class DroppableRows implements DroppableEvents {
  /** A partition that is moved at this moment keeps its lock for longer. */
  private static final Duration WAIT = Duration.ofSeconds(5);

  /** Readers of the table wait for so long at most. */
  private static final Duration SEEN = Duration.ofMillis(100);

  private final PostgresDatabase database;
  private final ArchivedRows archived;

  /** The newest time of a partition is found by reading it. */
  private @Nullable OldestRange known;

  DroppableRows(PostgresDatabase database, ArchivedRows archived) {
    this.database = database;
    this.archived = archived;
  }

  /** A use of a connection in auto-commit. */
  @FunctionalInterface
  private interface Use<T> {
    T of(Connection connection) throws SQLException, IOException;
  }

  private <T> T run(Use<T> use) throws StorageFailure {
    return RowStorage.run(() -> {
      try (Connection connection = database.connect()) {
        connection.setAutoCommit(true);
        return use.of(connection);
      }
    });
  }

  @Override
  public OptionalLong oldestPosition() throws StorageFailure {
    return run(connection -> OptionalLong.of(oldestPosition(connection)));
  }

  /** A dropped partition that is not removed yet is the oldest one. */
  private static long oldestPosition(Connection connection) throws SQLException {
    long dropped = StoredEntries.droppedUpTo(new RowAccess.Single(connection));
    return Partitions.all(connection).stream()
        .filter(it -> it.last() <= dropped)
        .mapToLong(JournalPartition::first)
        .findFirst()
        .orElse(dropped + 1);
  }

  @Override
  public Optional<OldestRange> oldest() throws StorageFailure {
    return run(this::oldest);
  }

  private synchronized Optional<OldestRange> oldest(Connection connection)
      throws SQLException, IOException {
    long from = oldestPosition(connection);
    OldestRange found = known;
    Optional<JournalPartition> partition =
        Partitions.all(connection).stream().filter(it -> it.first() == from).findFirst();
    if (partition.isEmpty()) {
      return archived(connection, from);
    }
    if (found != null && found.from() == from && found.to() == partition.get().last()) {
      return Optional.of(found);
    }
    StoredCheckpoint newest = CheckpointReader.newest(connection);
    if (newest == null || partition.get().last() >= newest.size()) {
      return Optional.empty();
    }
    Optional<OldestRange> range =
        range(connection, EntryReader.JOURNAL, from, partition.get().last());
    known = range.orElse(null);
    return range;
  }

  private static Optional<OldestRange> range(
      Connection connection, EntryReader rows, long from, long to)
      throws SQLException, IOException {
    Optional<String> newestAt = rows.newestAt(connection, from, to);
    return newestAt.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OldestRange(
                from,
                to,
                Instant.parse(newestAt.get()),
                EdgeReader.before(connection, to + 1).root()));
  }

  private static Optional<OldestRange> archived(Connection connection, long from)
      throws SQLException, IOException {
    ArchivedRange range = StoredEntries.next(new RowAccess.Single(connection), from - 1, from);
    if (range == null) {
      return kept(connection, from);
    }
    return range.isDropped()
        ? Optional.empty()
        : Optional.of(
            new OldestRange(
                range.first(),
                range.last(),
                Instant.parse(range.newestAt()),
                EdgeReader.before(connection, range.last() + 1).root()));
  }

  /** What stayed as rows when the others of its partition went to the archive. */
  private static Optional<OldestRange> kept(Connection connection, long from)
      throws SQLException, IOException {
    ArchivedRange next = StoredEntries.next(new RowAccess.Single(connection), from, Long.MAX_VALUE);
    long end =
        Stream.concat(
                Partitions.all(connection).stream().map(JournalPartition::first),
                Stream.ofNullable(next).map(ArchivedRange::first))
            .mapToLong(Long::longValue)
            .filter(it -> it > from)
            .min()
            .orElse(from);
    return range(connection, EntryReader.KEPT, from, end - 1);
  }

  @Override
  public boolean drop(OldestRange range, LongPredicate isKept, long keptCount)
      throws StorageFailure {
    return run(connection -> {
      if (!database.lockPartitions(connection, WAIT)) {
        return false;
      }
      long dropped = StoredEntries.droppedUpTo(new RowAccess.Single(connection));
      if (dropped < range.to()) {
        requireOldest(connection, range, dropped);
        new RowDrop(connection, archived, range, isKept).run();
      }
      new TagRemoval(connection, range, isKept).removeRows();
      for (JournalPartition partition : Partitions.all(connection)) {
        if (partition.last() <= range.to()) {
          new PartitionRemoval(connection, partition, Optional.empty()).run();
        }
      }
      return true;
    });
  }

  private static void requireOldest(Connection connection, OldestRange range, long dropped)
      throws SQLException, IOException {
    boolean isWhole =
        Partitions.all(connection).stream()
            .allMatch(it ->
                it.first() > range.to() || (it.first() >= range.from() && it.last() <= range.to()));
    ArchivedRange behind =
        StoredEntries.next(new RowAccess.Single(connection), range.to() - 1, range.to());
    if (dropped != range.from() - 1 || !isWhole || (behind != null && behind.last() > range.to())) {
      throw new IOException(
          "events %d to %d are not the oldest ones that are left"
              .formatted(range.from(), range.to()));
    }
  }

  @Override
  public long bytes() throws StorageFailure {
    return run(connection -> {
      long bytes = PostgresDatabase.bytes(connection);
      for (byte[] mark :
          RowsCursor.all(
              connection,
              "SELECT mark FROM journal_archive WHERE length(mark) > 0",
              row -> row.getBytes(1))) {
        bytes +=
            ArchivedMark.decode(mark)
                .flatMap(it -> SegmentStamp.unverified(it.stamp()))
                .map(it -> it.segmentFile().state().bytes())
                .orElse(0L);
      }
      return bytes;
    });
  }

  @Override
  public void removeArchived() throws StorageFailure {
    run(connection -> {
      List<ArchivedRange> ranges = stillArchived(connection);
      if (!ranges.isEmpty()
          && database.lockPartitions(connection, WAIT)
          && isSeenByNobody(connection)) {
        for (ArchivedRange range : ranges) {
          archived.remove(range);
          try (PreparedStatement update =
              connection.prepareStatement("UPDATE journal_archive SET mark = '' WHERE first = ?")) {
            update.setLong(1, range.first());
            update.executeUpdate();
          }
        }
      }
      return ranges;
    });
  }

  private static List<ArchivedRange> stillArchived(Connection connection) throws SQLException {
    return RowsCursor.all(
        connection,
        "SELECT "
            + ArchivedRange.COLUMNS
            + " FROM journal_archive a WHERE a.dropped_from IS NOT NULL AND length(a.mark) > 0"
            + " ORDER BY a.first",
        ArchivedRange::of);
  }

  /** Whether every transaction has ended that sees these events in the archive. */
  private static boolean isSeenByNobody(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    try {
      return PostgresDatabase.isLockedWithin(
          connection, SEEN, "LOCK TABLE journal_archive IN ACCESS EXCLUSIVE MODE");
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }
}
