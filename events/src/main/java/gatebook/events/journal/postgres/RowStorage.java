package gatebook.events.journal.postgres;

import gatebook.events.journal.checkpoint.CheckpointKeys;
import gatebook.events.journal.segment.archive.SegmentRetention;
import gatebook.events.journal.storage.DroppableEvents;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalLimits;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.sql.SQLException;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The storage of a journal as rows of the database. */
final class RowStorage implements JournalStorage {
  private static final Logger log = LoggerFactory.getLogger(RowStorage.class);

  /** Data exceptions, integrity violations and exceeded limits: the same event would fail again. */
  private static final Set<String> DATA_CLASSES = Set.of("22", "23", "54");

  private static final String CHECK_VIOLATION = "23514";

  private final PostgresDatabase database;
  private final SegmentRetention retention;
  private final JournalLimits limits;
  private final long partitionEvents;
  private final Partitions partitions;
  private final ArchivedRows archived;
  private final StoredEntries reader;
  private @Nullable PartitionArchiver archiver;
  private volatile @Nullable DroppableRows droppable;

  RowStorage(PostgresDatabase database, SharedLocation location, JournalLimits limits) {
    this.database = database;
    this.retention = location.retention();
    this.limits = limits;
    this.partitionEvents = location.partitionEvents();
    this.partitions = new Partitions(database, partitionEvents);
    this.archived = new ArchivedRows(location.retention());
    this.reader = new StoredEntries(archived);
  }

  /** A use of the database. */
  @FunctionalInterface
  interface Use<T> {
    T run() throws SQLException, IOException;
  }

  /** Runs a use; its failure is a failure of the storage. */
  static <T> T run(Use<T> use) throws StorageFailure {
    try {
      return use.run();
    } catch (SQLException e) {
      throw failure(e);
    } catch (IOException e) {
      throw new StorageFailure(StorageFailure.describe(e), e);
    }
  }

  static StorageFailure failure(SQLException e) {
    return new StorageFailure(String.valueOf(e.getMessage()), e, isCausedByData(e));
  }

  private static boolean isCausedByData(SQLException failure) {
    for (@Nullable SQLException e = failure; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (isWithoutPartition(e)) {
        return false;
      }
      if (state != null && state.length() == 5 && DATA_CLASSES.contains(state.substring(0, 2))) {
        return true;
      }
    }
    return false;
  }

  /** That an event has no partition violates no constraint with a name. */
  private static boolean isWithoutPartition(SQLException failure) {
    return failure instanceof PSQLException ofServer
        && CHECK_VIOLATION.equals(ofServer.getSQLState())
        && ofServer.getServerErrorMessage() != null
        && ofServer.getServerErrorMessage().getConstraint() == null;
  }

  @Override
  public void open() throws OpenRefusal, StorageFailure {
    try {
      database.check();
      JournalSchema.prepare(database, partitionEvents);
      tellMissingArchive();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private void tellMissingArchive() throws SQLException {
    if (!archived.archive().isConfigured()
        && StoredEntries.next(database, StoredEntries.droppedUpTo(database), Long.MAX_VALUE)
            != null) {
      log.atError()
          .addKeyValue("journal", describe())
          .log(
              "old events of the journal are in an archive and this node cannot read them: name the"
                  + " archive under 'retention.archive', as on the other nodes");
    }
  }

  /**
   * Partitions that are due go to the archive from now on, if there is one, and stamps are made.
   */
  @Override
  public synchronized void stampSealed(CheckpointKeys keys) {
    if (droppable == null) {
      droppable = new DroppableRows(database, archived);
    }
    if (archiver == null && archived.archive().isConfigured()) {
      archiver = new PartitionArchiver(database, archived, retention, limits, keys);
      archiver.start();
    }
  }

  @Override
  public void openExisting() throws OpenRefusal, StorageFailure {
    try {
      database.check();
      JournalSchema.requireCurrent(database);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public StorageWriter writer() throws StorageFailure {
    return run(() -> {
      partitions.requireRoom();
      return new RowWriter(RowSession.open(database, reader), partitions);
    });
  }

  @Override
  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure {
    return run(() -> reader.read(database, entrySelection, after, upTo, limit));
  }

  @Override
  public List<byte[]> leaves(long after, long upTo) throws StorageFailure {
    return run(() -> database.read(connection -> StoredEntries.leaves(connection, after, upTo)));
  }

  @Override
  public SequencedMap<String, String> nodesAfter(long after, int limit) throws StorageFailure {
    return run(() -> reader.nodesAfter(database, after, limit));
  }

  @Override
  public Optional<Long> firstAt(String at) throws StorageFailure {
    return run(() -> reader.firstAt(database, at));
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() throws StorageFailure {
    return run(() ->
        database.read(connection -> Optional.ofNullable(CheckpointReader.newest(connection))));
  }

  @Override
  public Optional<StoredCheckpoint> checkpointOver(long size) throws StorageFailure {
    return run(() ->
        database.read(connection -> Optional.ofNullable(CheckpointReader.over(connection, size))));
  }

  @Override
  public RightEdge storedEdge(long size) throws StorageFailure {
    return run(() -> database.read(connection -> EdgeReader.ofCheckpoint(connection, size)));
  }

  @Override
  public StorageSnapshot snapshot() throws StorageFailure {
    return run(() -> RowSnapshot.of(database, archived));
  }

  @Override
  public Runnable followOthers(LongConsumer onAppend) {
    return database.followOthers(onAppend);
  }

  /** When the database does not say it, reading the event does. */
  @Override
  public boolean isArchived(long position) {
    try {
      return database.read(connection -> StoredEntries.isArchived(connection, position));
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  public Optional<DroppableEvents> droppable() {
    return Optional.ofNullable(droppable);
  }

  @Override
  public Optional<DroppedThrough> droppedThrough() throws StorageFailure {
    return run(() -> {
      try {
        return database.read(StoredEntries::droppedThrough);
      } catch (DateTimeParseException e) {
        throw new IOException("the newest dropped range in table journal_archive has no time", e);
      }
    });
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long bytes() throws StorageFailure {
    return run(database::bytes);
  }

  @Override
  public synchronized long archiveFailures() {
    return archiver == null ? 0 : archiver.failures();
  }

  @Override
  public String describe() {
    return database.describe();
  }

  @Override
  public synchronized void close() {
    if (archiver != null) {
      archiver.close();
    }
    partitions.close();
    archived.close();
    database.close();
  }
}
