package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalStorage;
import gatebook.events.journal.storage.OpenRefusal;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StoredCheckpoint;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The storage of a journal as rows of the database. */
final class RowStorage implements JournalStorage {
  /** Data exceptions, integrity violations and exceeded limits: the same event would fail again. */
  private static final Set<String> DATA_CLASSES = Set.of("22", "23", "54");

  private final PostgresDatabase database;

  RowStorage(PostgresDatabase database) {
    this.database = database;
  }

  /** A use of the database. */
  @FunctionalInterface
  interface Use<T> {
    T run() throws SQLException;
  }

  /** Runs a use; its failure is a failure of the storage. */
  static <T> T run(Use<T> use) throws StorageFailure {
    try {
      return use.run();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  static StorageFailure failure(SQLException e) {
    return new StorageFailure(String.valueOf(e.getMessage()), e, isCausedByData(e));
  }

  private static boolean isCausedByData(SQLException failure) {
    for (@Nullable SQLException e = failure; e != null; e = e.getNextException()) {
      String state = e.getSQLState();
      if (state != null && state.length() == 5 && DATA_CLASSES.contains(state.substring(0, 2))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void open() throws OpenRefusal, StorageFailure {
    try {
      database.check();
      JournalSchema.prepare(database);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void openExisting() throws OpenRefusal, StorageFailure {
    try {
      database.check();
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public StorageWriter writer() throws StorageFailure {
    return new RowWriter(run(() -> RowSession.open(database)));
  }

  @Override
  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure {
    return run(() ->
        database.read(
            connection -> EntryReader.read(connection, entrySelection, after, upTo, limit)));
  }

  @Override
  public List<byte[]> leaves(long after, long upTo) throws StorageFailure {
    return run(() -> database.read(connection -> EntryReader.leaves(connection, after, upTo)));
  }

  @Override
  public SequencedMap<String, String> nodesAfter(long after, int limit) throws StorageFailure {
    return run(() -> database.read(connection -> EntryReader.nodesAfter(connection, after, limit)));
  }

  @Override
  public Optional<Long> firstAt(String at) throws StorageFailure {
    return run(() -> database.read(connection -> EntryReader.firstAt(connection, at)));
  }

  @Override
  public Optional<StoredCheckpoint> newestCheckpoint() throws StorageFailure {
    return run(() ->
        database.read(connection -> Optional.ofNullable(CheckpointReader.newest(connection))));
  }

  @Override
  public StorageSnapshot snapshot() throws StorageFailure {
    return run(() -> RowSnapshot.of(database));
  }

  @Override
  public Runnable followOthers(LongConsumer onAppend) {
    return database.followOthers(onAppend);
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
  public String describe() {
    return database.describe();
  }

  @Override
  public void close() {
    database.close();
  }
}
