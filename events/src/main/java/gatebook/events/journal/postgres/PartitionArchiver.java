package gatebook.events.journal.postgres;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.segment.archive.UnnamedObjects;
import gatebook.events.journal.segment.file.SegmentHeader;
import gatebook.events.journal.segment.stamp.BackgroundPace;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves partitions to the archive that their retention lets go, the oldest first, in the background
 * and on one node at a time. The events of a partition are copied as segments, each of which is
 * read back and then noted in the table {@code journal_archive}; when all are, the partition is
 * removed. A node that is killed is followed by another one, or by its next start, which goes on.
 *
 * <p>A partition with anything that is not as it was written stays, and one with an event that
 * changes the trust in the journal.
 */
final class PartitionArchiver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PartitionArchiver.class);

  /** An arbitrary number, the same in every process. */
  private static final int LOCK = 0x6761_7465;

  /**
   * The checkpoint of a transaction may be over later events than the one by which the key or the
   * origin changes, so they must not be in different partitions.
   */
  private static final long TRUST_EVENTS_BEFORE = 10_000;

  private final PostgresDatabase database;
  private final ArchivedRows archived;
  private final SegmentRetention retention;
  private final JournalLimits limits;
  private final CheckpointKeys keys;
  private final OngoingFailure failure = new OngoingFailure();
  private final OngoingFailure upkeepFailure = new OngoingFailure();
  private final BackgroundPace pace = new BackgroundPace();
  private final ArchivedRangeStamper stamper;
  private final UnnamedObjects unnamedObjects = new UnnamedObjects();
  private final Set<Long> staying = new HashSet<>();
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
    this.stamper = new ArchivedRangeStamper(retention, keys, pace);
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
      if (isLocked(connection)) {
        pace.begin(1);
        moveDue(connection, Instant.now());
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
      stamper.stamp(connection);
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

  /** What is behind the last archived range may be moved under the names that are there. */
  private void tellUnnamed(Connection connection) throws SQLException, IOException {
    long last =
        query(
                connection,
                "SELECT COALESCE(MAX(last), 0) FROM journal_archive",
                row -> row.getLong(1))
            .orElse(0L);
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
        names.addAll(ArchivedRows.names(range.stamp()));
      }
    } catch (SQLException e) {
      throw new IOException(e);
    }
    return names;
  }

  /** The lock is given back with the connection, also when this process is killed. */
  private static boolean isLocked(Connection connection) throws SQLException {
    return query(
            connection,
            "SELECT pg_try_advisory_lock(%d, 'journal'::regclass::oid::int)".formatted(LOCK),
            row -> row.getBoolean(1))
        .orElse(false);
  }

  private void moveDue(Connection connection, Instant now) throws SQLException, IOException {
    StoredCheckpoint newest = CheckpointReader.newest(connection);
    long moved = 0;
    for (JournalPartition partition : Partitions.all(connection)) {
      boolean isSigned = newest != null && partition.last() < newest.size();
      if (pace.isClosed() || !isSigned || staying.contains(partition.first())) {
        continue;
      }
      boolean isArchived = firstMissing(connection, partition).isEmpty();
      if (!isArchived && !isDue(connection, partition, now)) {
        break; // the next ones are newer
      }
      if (isArchived || copies(connection, partition, now)) {
        new PartitionRemoval(connection, partition).run();
        moved++;
      }
    }
    if (moved > 0) {
      log.atInfo()
          .addKeyValue("partitions", moved)
          .log("partitions of the journal were moved to the archive");
    }
  }

  /** The first position that is not in the archive; empty when all are. */
  private static Optional<Long> firstMissing(Connection connection, JournalPartition partition)
      throws SQLException {
    RowAccess rows = new RowAccess.Single(connection);
    long from = partition.first();
    for (ArchivedRange range = StoredEntries.next(rows, from - 1, from);
        range != null && from <= partition.last();
        range = StoredEntries.next(rows, from - 1, from)) {
      from = range.last() + 1;
    }
    return from > partition.last() ? Optional.empty() : Optional.of(from);
  }

  private boolean isDue(Connection connection, JournalPartition partition, Instant now)
      throws SQLException {
    Optional<String> newest =
        query(
            connection,
            "SELECT at FROM journal WHERE position = " + partition.last(),
            row -> row.getString(1));
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
  private boolean copies(Connection connection, JournalPartition partition, Instant now)
      throws SQLException, IOException {
    String why = "";
    if (hasTrustEvents(connection, partition)) {
      why = "an event in it changes the trust in the journal";
    }
    Optional<Long> next = firstMissing(connection, partition);
    while (why.isEmpty() && next.isPresent()) {
      connection.setAutoCommit(false);
      try (RowExport export =
          new RowExport(connection, keys, limits, pace, edgeBefore(connection, next.get()))) {
        Optional<RowExport.Written> written =
            export.write(partition.last(), salt(connection, partition));
        connection.rollback();
        if (pace.isClosed()) {
          return false;
        }
        if (written.isEmpty()) {
          why = "it is not as it was written: verify the journal";
        } else if (!isOlder(written.get().newestAt(), retention.floor(), now)) {
          return false; // an event in it has a later time than the last one
        } else {
          store(connection, written.get());
        }
      } finally {
        connection.setAutoCommit(true);
      }
      next = firstMissing(connection, partition);
    }
    if (!why.isEmpty()) {
      staying.add(partition.first());
      log.atWarn()
          .addKeyValue("partition", partition.table())
          .addKeyValue("reason", why)
          .log("a partition of the journal stays in the database");
    }
    return why.isEmpty();
  }

  private static boolean hasTrustEvents(Connection connection, JournalPartition partition)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT 1 FROM journal WHERE position >= ? AND position <= ?"
                + " AND name = ANY (?))")) {
      select.setLong(1, partition.first() - TRUST_EVENTS_BEFORE);
      select.setLong(2, partition.last());
      select.setArray(3, connection.createArrayOf("text", TrustEvents.NAMES.toArray()));
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** The same number for every attempt, which nobody knew who wrote an event of the partition. */
  private static long salt(Connection connection, JournalPartition partition) throws SQLException {
    MessageDigest sha256 = Sha256.newDigest();
    StoredEntries.leaves(connection, partition.last() - 1, partition.last())
        .forEach(sha256::update);
    return ByteBuffer.wrap(sha256.digest()).getLong();
  }

  /** From the newest checkpoint or archived segment before a position, and the leaves behind it. */
  private static RightEdge edgeBefore(Connection connection, long position)
      throws SQLException, IOException {
    RightEdge edge = ofCheckpoint(connection, position);
    RightEdge ofArchive = ofArchive(connection, position);
    edge = ofArchive.size() > edge.size() ? ofArchive : edge;
    while (edge.size() < position - 1) {
      long upTo = Math.min(position - 1, edge.size() + 10_000);
      for (byte[] leaf : StoredEntries.leaves(connection, edge.size(), upTo)) {
        edge.append(leaf);
      }
    }
    return edge;
  }

  private static RightEdge ofCheckpoint(Connection connection, long position) throws SQLException {
    return query(
            connection,
            "SELECT number, size, note, hashes FROM journal_checkpoint WHERE size < "
                + position
                + " ORDER BY number DESC LIMIT 1",
            CheckpointReader::of)
        .flatMap(it -> RightEdge.restored(it.size(), it.hashes()))
        .orElseGet(RightEdge::new);
  }

  private static RightEdge ofArchive(Connection connection, long position)
      throws SQLException, IOException {
    Optional<ArchivedRange> before =
        query(
            connection,
            "SELECT "
                + ArchivedRange.COLUMNS
                + " FROM journal_archive a WHERE a.last < "
                + position
                + " ORDER BY a.first DESC LIMIT 1",
            ArchivedRange::of);
    if (before.isEmpty()) {
      return new RightEdge();
    }
    Optional<SegmentHeader> header = before.get().readMark().segmentHeader();
    if (header.isEmpty()) {
      return new RightEdge();
    }
    RightEdge edge = header.get().edge().copy();
    edge.append(before.get().stamp().settled().leaves());
    return edge;
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

  private static <T> Optional<T> query(
      Connection connection, String sql, RowsCursor.Reader<T> reader) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql);
        ResultSet row = select.executeQuery()) {
      @Nullable T found = row.next() ? reader.of(row) : null;
      return Optional.ofNullable(found);
    }
  }

  /** Returns when nothing is moved any longer. */
  @Override
  public void close() {
    pace.close();
    thread.shutdown();
    thread.close();
  }
}
