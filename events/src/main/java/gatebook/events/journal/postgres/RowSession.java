package gatebook.events.journal.postgres;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageWriter.Stage;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writer's session with the rows: one transaction per batch.
 *
 * <p>A batch on the locked edge takes three round trips: lock, {@link AppendStatement}, commit. As
 * long as no other process appends, the session expects the edge of its own last commit and the
 * statement is the whole transaction, in auto-commit; one that finds another edge stores nothing.
 * Both return when the server has forced the commit.
 *
 * <p>After a failure {@link #stage()} says what can have happened: nothing, or perhaps the commit.
 */
final class RowSession implements AutoCloseable {
  private final PostgresDatabase database;
  private final Connection connection;
  private final StoredEntries reader;
  private final PreparedStatement lockEdge;
  private final AppendStatement appendStatement;
  private EdgeRow known = new EdgeRow(new RightEdge(), "", "");
  private boolean isAlone;
  private RightEdge newEdge = known.edge();
  private CommittedBatch batch = CommittedBatch.NOTHING;
  private Stage stage = Stage.WRITING;

  static RowSession open(PostgresDatabase database, StoredEntries reader) throws SQLException {
    Connection connection = database.connectToWrite();
    try {
      return new RowSession(database, connection, reader);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private RowSession(PostgresDatabase database, Connection connection, StoredEntries reader)
      throws SQLException {
    this.database = database;
    this.connection = connection;
    this.reader = reader;
    this.lockEdge =
        connection.prepareStatement(
            "SELECT size, hashes, xmin::text, ctid::text FROM journal_edge WHERE one = 1 FOR"
                + " UPDATE");
    this.appendStatement = new AppendStatement(connection);
  }

  Stage stage() {
    return stage;
  }

  /** Starts a transaction; until it ends no other process appends. */
  RightEdge lockEdge() throws SQLException {
    connection.setAutoCommit(false);
    EdgeRow locked = readLocked();
    isAlone = locked.version().equals(known.version());
    known = locked;
    return known.edge().copy();
  }

  private EdgeRow readLocked() throws SQLException {
    try (ResultSet row = lockEdge.executeQuery()) {
      if (row.next()) {
        Optional<RightEdge> edge = RightEdge.restored(row.getLong(1), row.getBytes(2));
        if (edge.isPresent()) {
          return new EdgeRow(edge.get(), row.getString(3), row.getString(4));
        }
      }
      throw new SQLException("the row in table journal_edge is not a right edge");
    }
  }

  /** Starts a transaction on the edge as it was known last, if no other process moved it lately. */
  RightEdge expectEdge() throws SQLException {
    return isAlone ? known.edge().copy() : lockEdge();
  }

  void insert(List<Entry> entries) {
    batch = batch.with(entries);
  }

  void moveEdge(RightEdge edge) {
    newEdge = edge.copy();
  }

  void insertCheckpoint(StoredCheckpoint checkpoint) {
    batch = batch.with(checkpoint);
  }

  /** Commits a transaction on the locked edge. */
  void commit() throws SQLException {
    if (!commitIfUnmoved()) {
      throw new SQLException("the row in table journal_edge changed while it was locked");
    }
  }

  /** Commits; false when another process moved the expected edge: then nothing is stored. */
  boolean commitIfUnmoved() throws SQLException {
    StoredCheckpoint checkpoint = batch.checkpoint();
    boolean isUnmoved = isLocked() || checkpoint == null || isLockedUnmoved(checkpoint.number());
    isUnmoved = isUnmoved && (isLocked() ? commitLocked() : commitAtOnce());
    isAlone = isAlone && isUnmoved;
    rollback();
    return isUnmoved;
  }

  private boolean isLocked() throws SQLException {
    return !connection.getAutoCommit();
  }

  /** Numbers of checkpoints are given under the lock: another process may have signed one. */
  private boolean isLockedUnmoved(long number) throws SQLException {
    lockEdge();
    StoredCheckpoint newest = newestCheckpoint();
    return isAlone && number == (newest == null ? 1 : newest.number() + 1);
  }

  private boolean commitLocked() throws SQLException {
    EdgeRow stored = append();
    if (stored == null) {
      return false;
    }
    if (batch.checkpoint() != null) {
      insert(batch.checkpoint());
    }
    stage = Stage.COMMITTING;
    connection.commit();
    stage = Stage.WRITING;
    known = stored;
    return true;
  }

  private boolean commitAtOnce() throws SQLException {
    stage = Stage.COMMITTING;
    EdgeRow stored;
    try {
      stored = append();
    } catch (SQLException e) {
      if (!connection.isClosed()) {
        stage = Stage.WRITING; // the server answered that it rolled back
      }
      throw e;
    }
    stage = Stage.WRITING;
    if (stored == null) {
      return false;
    }
    known = stored;
    return true;
  }

  /** The row afterwards; null when the edge is not the expected one. */
  private @Nullable EdgeRow append() throws SQLException {
    if (batch.entries().isEmpty()) {
      return known;
    }
    return appendStatement.execute(known, newEdge, batch.entries());
  }

  private void insert(StoredCheckpoint checkpoint) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_checkpoint (number, size, note, hashes) VALUES (?, ?, ?, ?)")) {
      insert.setLong(1, checkpoint.number());
      insert.setLong(2, checkpoint.size());
      insert.setString(3, checkpoint.note());
      insert.setBytes(4, checkpoint.hashes());
      insert.executeUpdate();
    }
  }

  /** Ends the transaction; without one it does nothing. */
  void rollback() throws SQLException {
    batch = CommittedBatch.NOTHING;
    if (isLocked()) {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  /**
   * Writes the edge's row again as it is: a statement that an earlier session sent, and that the
   * server has not executed yet, will find another version of it and store nothing.
   */
  void settle() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE journal_edge SET size = size WHERE one = 1");
    }
  }

  @Nullable StoredCheckpoint newestCheckpoint() throws SQLException {
    return CheckpointReader.newest(connection);
  }

  @Nullable StoredCheckpoint checkpointOver(long size) throws SQLException {
    return CheckpointReader.over(connection, size);
  }

  long lastPosition() throws SQLException {
    try (PreparedStatement select =
            connection.prepareStatement("SELECT COALESCE(MAX(position), 0) FROM journal");
        ResultSet row = select.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws SQLException, IOException {
    return reader.read(new RowAccess.Single(connection), entrySelection, after, upTo, limit);
  }

  /** Closes the connection, and those for reading. */
  void abandon() {
    database.abandon();
    close();
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // a connection that fails to close is broken: it holds no transaction and no lock
    }
  }
}
