package gatebook.events.journal.h2;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.OpenRefusal;
import gatebook.events.journal.StorageFailure;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.segment.PredecessorJournal;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.h2.api.ErrorCode;

/**
 * A journal in H2: the rows of the database, and after them the batches of the {@link
 * WriteAheadLog} that it lacks.
 *
 * <p>The engine opens its file read-only. So neither file changes, however the process ends.
 */
final class H2Journal implements PredecessorJournal {
  private static final Map<Integer, String> REFUSALS =
      Map.of(
          ErrorCode.DATABASE_ALREADY_OPEN_1, "is in use by another process: stop that one first",
          ErrorCode.FILE_VERSION_ERROR_1, "was written by another version of the database engine",
          ErrorCode.FILE_CORRUPTED_1, "is damaged: restore it from a copy");

  private static final String EDGE = "SELECT size, hashes FROM journal_edge WHERE one = 1";

  private static final String ENTRIES =
      "SELECT position, id, name, version, at, node, tags, payload, metadata, leaf FROM journal"
          + " WHERE position > ? AND position <= ? ORDER BY position LIMIT ?";

  private static final String CHECKPOINTS =
      "SELECT number, size, note, hashes FROM journal_checkpoint"
          + " WHERE number > ? ORDER BY number LIMIT ?";

  private static final String NEWEST_CHECKPOINT =
      "SELECT COALESCE(MAX(number), 0) FROM journal_checkpoint";

  static {
    InterruptSafeFileSystem.register();
  }

  private final Connection connection;
  private final Optional<StoredEdge> storedEdge;
  private final MissingBatches missing;

  private H2Journal(Connection connection, List<CommittedBatch> batches) throws SQLException {
    this.connection = connection;
    this.storedEdge = hasJournal(connection) ? storedEdge(connection) : Optional.empty();
    Optional<RightEdge> edge = storedEdge.flatMap(it -> RightEdge.restored(it.size(), it.hashes()));
    this.missing =
        edge.isEmpty()
            ? MissingBatches.NONE
            : MissingBatches.of(batches, edge.get().size(), newestCheckpoint(connection));
  }

  /**
   * Opens a journal for reading.
   *
   * @param name of the database for the engine, which adds the extension
   */
  static H2Journal open(Path name, Path database, Path log) throws OpenRefusal, StorageFailure {
    Connection connection = connect(name, database);
    try {
      // not before: now no other process has the database open, and appends to the log
      H2Journal journal = new H2Journal(connection, batches(log));
      if (!journal.missing.complete()) {
        throw new OpenRefusal(
            ("the write-ahead log %s holds events that do not follow those of %s: restore the"
                    + " database that it belongs to, or move the log away to go on without them")
                .formatted(log, database));
      }
      return journal;
    } catch (OpenRefusal | StorageFailure e) {
      close(connection);
      throw e;
    } catch (SQLException e) {
      close(connection);
      throw failure(e);
    }
  }

  private static List<CommittedBatch> batches(Path log) throws StorageFailure {
    try {
      return WriteAheadLog.read(log);
    } catch (IOException e) {
      throw new StorageFailure(
          "the write-ahead log %s cannot be read: %s".formatted(log, StorageFailure.describe(e)),
          e);
    }
  }

  private static Connection connect(Path name, Path database) throws OpenRefusal, StorageFailure {
    try {
      return DriverManager.getConnection(
          "jdbc:h2:%s:%s;ACCESS_MODE_DATA=r;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
              .formatted(InterruptSafeFileSystem.SCHEME, name.toAbsolutePath()));
    } catch (SQLException e) {
      String refusal = REFUSALS.get(e.getErrorCode());
      if (refusal == null) {
        throw failure(e);
      }
      throw new OpenRefusal("the database " + database + " " + refusal);
    }
  }

  private static StorageFailure failure(SQLException e) {
    return new StorageFailure(String.valueOf(e.getMessage()), e);
  }

  /** False when the process was killed before it had created the tables. */
  private static boolean hasJournal(Connection connection) throws SQLException {
    try (ResultSet tables = connection.getMetaData().getTables(null, null, "JOURNAL_EDGE", null)) {
      return tables.next();
    }
  }

  private static Optional<StoredEdge> storedEdge(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(EDGE);
        ResultSet row = select.executeQuery()) {
      return row.next()
          ? Optional.of(new StoredEdge(row.getLong(1), row.getBytes(2)))
          : Optional.empty();
    }
  }

  private static long newestCheckpoint(Connection connection) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(NEWEST_CHECKPOINT);
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public Optional<StoredEdge> edge() {
    return missing.entries().isEmpty()
        ? storedEdge
        : storedEdge
            .flatMap(it -> RightEdge.restored(it.size(), it.hashes()))
            .map(this::afterMissing);
  }

  private StoredEdge afterMissing(RightEdge edge) {
    missing.entries().forEach(entry -> edge.append(entry.leaf()));
    return new StoredEdge(edge.size(), edge.bytes());
  }

  @Override
  public List<Entry> entries(long after, long upTo, int limit) throws StorageFailure {
    List<Entry> entries = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(ENTRIES)) {
      select.setLong(1, after);
      select.setLong(2, Math.min(upTo, rowsUpTo()));
      select.setInt(3, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          entries.add(entry(row));
        }
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    missing.entries().stream()
        .filter(entry -> entry.position() > after && entry.position() <= upTo)
        .limit(limit - entries.size())
        .forEach(entries::add);
    return entries;
  }

  /** Rows behind the right edge are not part of the journal. */
  private long rowsUpTo() {
    return storedEdge.map(StoredEdge::size).orElse(0L);
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getString(7),
        row.getBytes(8),
        row.getBytes(9),
        row.getBytes(10));
  }

  @Override
  public List<StoredCheckpoint> checkpoints(long after, int limit) throws StorageFailure {
    List<StoredCheckpoint> checkpoints = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(CHECKPOINTS)) {
      select.setLong(1, after);
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          checkpoints.add(
              new StoredCheckpoint(
                  row.getLong(1), row.getLong(2), row.getString(3), row.getBytes(4)));
        }
      }
    } catch (SQLException e) {
      throw failure(e);
    }
    missing.checkpoints().stream()
        .filter(checkpoint -> checkpoint.number() > after)
        .limit(limit - checkpoints.size())
        .forEach(checkpoints::add);
    return checkpoints;
  }

  @Override
  public void close() {
    close(connection);
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // it was only read
    }
  }
}
