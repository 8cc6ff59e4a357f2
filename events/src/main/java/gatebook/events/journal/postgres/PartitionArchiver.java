package gatebook.events.journal.postgres;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.archive.ArchivedStamper;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.archive.UnnamedObjects;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves partitions to the archive that their retention lets go, the oldest first, in the background
 * and on one node at a time. The events of a partition are copied as segments, each of which is
 * read back and then noted in the table {@code journal_archive}; when all are, the partition is
 * removed. A node that is killed is followed by another one, or by its next start, which goes on.
 *
 * <p>A partition with anything that is not as it was written stays. What changes the trust in the
 * journal stays as rows.
 */
final class PartitionArchiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PartitionArchiver.class);

  private final PostgresDatabase database;
  private final ArchivedRows archived;
  private final SegmentRetention retention;
  private final JournalLimits limits;
  private final CheckpointKeys keys;
  private final OngoingFailure failure = new OngoingFailure();
  private final OngoingFailure upkeepFailure = new OngoingFailure();
  private final BackgroundPace pace = new BackgroundPace();
  private final ArchivedStamper stamper;
  private final UnnamedObjects unnamedObjects = new UnnamedObjects();
  private final Set<Long> staying = new HashSet<>();

  /** Whether this node has the lock on moving. */
  private boolean isAlone;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("journal-archiver").factory());

  PartitionArchiver(
      PostgresDatabase database,
      ArchivedRows archived,
      SegmentRetention retention,
      JournalLimits limits,
      CheckpointKeys keys) {
    this.database = database;
    this.archived = archived;
    this.retention = retention;
    this.limits = limits;
    this.keys = keys;
    this.stamper = new ArchivedStamper(pace, retention.every());
  }

  void start() {
    long millis = retention.every().toMillis();
    var _ = thread.scheduleWithFixedDelay(() -> moveDue(), millis, millis, TimeUnit.MILLISECONDS);
  }

  /** How often moving failed; each failure is tried again. */
  long failures() {
    return failure.attempts();
  }

  private void moveDue() {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(true);
      isAlone = database.lockPartitions(connection, Duration.ZERO);
      if (isAlone) {
        pace.begin(1);
        moveDue(connection, Instant.now());
      }
      if (isAlone) {
        keepUp(connection);
      }
      failure.end();
    } catch (SQLException | IOException | RuntimeException | LinkageError e) {
      if (failure.isNew(StorageFailure.describe(e)) && !pace.isClosed()) {
        log.atError()
            .addKeyValue("failure", StorageFailure.describe(e))
            .log("partitions of the journal stay in the database: they cannot be moved now");
      }
    }
  }

  private void keepUp(Connection connection) throws SQLException {
    try {
      stamp(connection);
      tellUnnamed(connection);
      upkeepFailure.end();
    } catch (IOException e) {
      if (upkeepFailure.isNew(StorageFailure.describe(e)) && !pace.isClosed()) {
        log.atWarn()
            .addKeyValue("failure", StorageFailure.describe(e))
            .log("archived segments of the journal cannot be looked at now");
      }
    }
  }

  private void stamp(Connection connection) throws SQLException, IOException {
    try (ArchivedRows read = new ArchivedRows(retention)) {
      stamper.stamp(
          keys.verifier(),
          new RangeStamps(connection, read, keys, pace, () -> isStillAlone(connection)));
    }
  }

  /** What is behind the last archived range may be moved under the names that are there. */
  private void tellUnnamed(Connection connection) throws SQLException, IOException {
    long last =
        RowsCursor.all(
                connection,
                "SELECT COALESCE(MAX(last), 0) FROM journal_archive",
                row -> row.getLong(1))
            .getFirst();
    unnamedObjects.tell(archived.archive(), () -> names(connection), first -> first > last);
  }

  private static Set<String> names(Connection connection) throws IOException {
    Set<String> names = new HashSet<>();
    try (RowCursor<ArchivedRange> ranges =
        RowsCursor.of(
            connection,
            "SELECT " + ArchivedRange.COLUMNS + " FROM journal_archive a",
            ArchivedRange::of)) {
      for (ArchivedRange range = ranges.next(); range != null; range = ranges.next()) {
        if (range.mark().length > 0) {
          names.addAll(ArchivedRows.names(range.stamp()));
        }
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return names;
  }

  private void moveDue(Connection connection, Instant now) throws SQLException, IOException {
    long moved = 0;
    while (!pace.isClosed()) {
      boolean isMoved = moveOldest(connection, now);
      moved += isMoved ? 1 : 0;
      if (!isMoved || !isStillAlone(connection)) {
        break;
      }
    }
    if (moved > 0) {
      log.atInfo()
          .addKeyValue("partitions", moved)
          .log("partitions of the journal were moved to the archive");
    }
  }

  /** Moves the oldest partition that is due; false when none was moved. */
  private boolean moveOldest(Connection connection, Instant now) throws SQLException, IOException {
    StoredCheckpoint newest = CheckpointReader.newest(connection);
    if (newest == null || !keys.isNewest(newest.note())) {
      return false; // this node does not know yet who signs now, and would trust nothing newer
    }
    long dropped = StoredEntries.droppedUpTo(new RowAccess.Single(connection));
    for (JournalPartition partition : Partitions.all(connection)) {
      boolean isLeft = partition.last() > dropped && !staying.contains(partition.first());
      if (!isLeft || partition.last() >= newest.size()) {
        continue;
      }
      boolean isDue = isDue(connection, partition, now);
      if (!isDue && !isBegun(connection, partition)) {
        return false; // the next ones are newer
      }
      KeptSpans stays = KeptSpans.of(connection, partition);
      boolean isArchived = stays.firstMissing(connection).isEmpty();
      if (!isArchived && (!isDue || !copies(connection, partition, stays, now))) {
        if (isDue && staying.contains(partition.first())) {
          continue;
        }
        return false;
      }
      stays.keep(connection);
      new PartitionRemoval(connection, partition, Optional.of(stays)).run();
      return true;
    }
    return false;
  }

  private static boolean isBegun(Connection connection, JournalPartition partition)
      throws SQLException {
    long before = partition.first() - 1;
    return StoredEntries.next(new RowAccess.Single(connection), before, partition.last()) != null
        || EntryReader.KEPT.firstAfter(connection, before) <= partition.last();
  }

  private boolean isDue(Connection connection, JournalPartition partition, Instant now)
      throws SQLException {
    Optional<String> newest =
        RowsCursor.first(
            connection,
            "SELECT at FROM journal WHERE position = ?",
            row -> row.getString(1),
            partition.last());
    return newest.isPresent()
        && isOlder(newest.get(), retention.floor(), now)
        && (isOld(newest.get(), now)
            || (retention.bytesMax().isPresent()
                && PostgresDatabase.bytes(connection) > retention.bytesMax().getAsLong()));
  }

  private boolean isOld(String newestAt, Instant now) {
    return retention.age().isPresent() && isOlder(newestAt, retention.age().get(), now);
  }

  private static boolean isOlder(String at, Duration age, Instant now) {
    return at.compareTo(DraftEvent.formatTime(now.minus(age))) < 0;
  }

  /** Whether the archive has all events of a partition now. */
  private boolean copies(
      Connection connection, JournalPartition partition, KeptSpans stays, Instant now)
      throws SQLException, IOException {
    boolean isAsWritten = true;
    Optional<Long> next = stays.firstMissing(connection);
    while (isAsWritten && next.isPresent()) {
      connection.setAutoCommit(false);
      try (RowExport export =
          new RowExport(
              connection, keys, limits, pace, EdgeReader.before(connection, next.get()))) {
        Optional<RowExport.Written> written =
            export.write(stays.lastWith(next.get()), salt(connection, partition));
        connection.rollback();
        if (pace.isClosed()) {
          return false;
        }
        if (written.isEmpty()) {
          isAsWritten = false;
        } else if (!isOlder(written.get().newestAt(), retention.floor(), now)) {
          return false; // an event in it has a later time than the last one
        } else {
          store(connection, written.get());
        }
      } finally {
        connection.setAutoCommit(true);
      }
      next = stays.firstMissing(connection);
      if (next.isPresent() && !isStillAlone(connection)) {
        return false;
      }
    }
    if (!isAsWritten) {
      staying.add(partition.first());
      log.atWarn()
          .addKeyValue("partition", partition.table())
          .addKeyValue("reason", "it is not as it was written: verify the journal")
          .log("a partition of the journal stays in the database");
    }
    return isAsWritten;
  }

  /** Lets a node that drops events go first; what it dropped may be this partition. */
  private boolean isStillAlone(Connection connection) throws SQLException {
    RowAccess rows = new RowAccess.Single(connection);
    long before = StoredEntries.droppedUpTo(rows);
    isAlone = database.lockPartitionsAgain(connection);
    return isAlone && StoredEntries.droppedUpTo(rows) == before;
  }

  /** The same number for every attempt, which nobody knew who wrote an event of the partition. */
  private static long salt(Connection connection, JournalPartition partition) throws SQLException {
    MessageDigest sha256 = Sha256.newDigest();
    StoredEntries.leaves(connection, partition.last() - 1, partition.last())
        .forEach(sha256::update);
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  /** Copies the files to the archive, and then says in the database that it has them. */
  private void store(Connection connection, RowExport.Written written)
      throws SQLException, IOException {
    archived
        .archive()
        .store(
            written.segment(), written.stamp().segment(), written.stamp().segmentFile().sha256());
    archived
        .archive()
        .store(
            written.index(),
            ArchivedRows.indexName(written.stamp()),
            written.stamp().indexFile().sha256());
    archived.archive().put(ArchivedRows.stampName(written.stamp()), written.stampNote());
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_archive (first, last, newest_at, mark, leaves, note)"
                + " VALUES (?, ?, ?, ?, ?, ?)")) {
      insert.setLong(1, written.stamp().settled().first());
      insert.setLong(2, written.stamp().settled().last());
      insert.setString(3, written.newestAt());
      insert.setBytes(4, written.mark());
      insert.setBytes(5, written.leaves());
      insert.setString(6, written.rangeNote());
      insert.executeUpdate();
    }
    connection.commit();
  }

  /** Returns when nothing is moved any longer. */
  @Override
  public void close() {
    pace.close();
    thread.shutdown();
    thread.close();
  }
}
