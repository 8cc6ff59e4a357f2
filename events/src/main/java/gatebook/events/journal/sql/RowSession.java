package gatebook.events.journal.sql;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.EntrySelection;
import gatebook.events.journal.JournalSnapshot.IndexedTag;
import gatebook.events.journal.StorageWriter.Stage;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The writer's session with the rows: one transaction per batch, from locking and reading the right
 * edge to the force.
 *
 * <p>After a failure {@link #stage()} says what can have happened: nothing, perhaps the commit, or
 * the commit without the force.
 */
final class RowSession implements AutoCloseable {
  private final Database database;
  private final Connection connection;
  private final PreparedStatement lockEdge;
  private final PreparedStatement insertEntry;
  private final PreparedStatement insertTag;
  private final PreparedStatement updateEdge;
  private final PreparedStatement insertCheckpoint;
  private Stage stage = Stage.WRITING;
  private CommittedBatch committedBatch = CommittedBatch.NOTHING;

  static RowSession open(Database database) throws SQLException {
    Connection connection = database.connectToWrite();
    try {
      return new RowSession(database, connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  RowSession(Database database, Connection connection) throws SQLException {
    this.database = database;
    this.connection = connection;
    this.lockEdge =
        connection.prepareStatement(
            "SELECT size, hashes FROM journal_edge WHERE one = 1 FOR UPDATE");
    this.insertEntry =
        connection.prepareStatement(
            "INSERT INTO journal"
                + " (position, id, name, version, at, node, tags, payload, metadata, leaf)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.insertTag =
        connection.prepareStatement(
            "INSERT INTO journal_tag (tag, position, last) VALUES (?, ?, ?)");
    this.updateEdge =
        connection.prepareStatement("UPDATE journal_edge SET size = ?, hashes = ? WHERE one = 1");
    this.insertCheckpoint =
        connection.prepareStatement(
            "INSERT INTO journal_checkpoint (number, size, note, hashes) VALUES (?, ?, ?, ?)");
  }

  Stage stage() {
    return stage;
  }

  /** Starts a transaction; until it ends no other process appends. */
  RightEdge lockEdge() throws SQLException {
    stage = Stage.WRITING;
    return tryLockEdge()
        .orElseThrow(() -> new SQLException("the row in table journal_edge is not a right edge"));
  }

  /** The same; empty when the row is missing or holds no edge. */
  Optional<RightEdge> tryLockEdge() throws SQLException {
    try (ResultSet row = lockEdge.executeQuery()) {
      return row.next() ? RightEdge.restored(row.getLong(1), row.getBytes(2)) : Optional.empty();
    }
  }

  void insert(List<Entry> entries) throws SQLException {
    for (Entry entry : entries) {
      addToStatement(entry);
    }
    insertEntry.executeBatch();
    List<IndexedTag> lines = TagIndex.of(entries);
    if (!lines.isEmpty()) {
      insertTags(lines);
    }
    committedBatch = committedBatch.with(entries);
  }

  private void insertTags(List<IndexedTag> lines) throws SQLException {
    for (IndexedTag line : lines) {
      insertTag.setString(1, line.tag());
      insertTag.setLong(2, line.first());
      insertTag.setLong(3, line.last());
      insertTag.addBatch();
    }
    insertTag.executeBatch();
  }

  private void addToStatement(Entry entry) throws SQLException {
    insertEntry.setLong(1, entry.position());
    insertEntry.setString(2, entry.id());
    insertEntry.setString(3, entry.name());
    insertEntry.setString(4, entry.version());
    insertEntry.setString(5, entry.at());
    insertEntry.setString(6, entry.node());
    insertEntry.setString(7, entry.tags());
    insertEntry.setBytes(8, entry.payload());
    insertEntry.setBytes(9, entry.metadata());
    insertEntry.setBytes(10, entry.leaf());
    insertEntry.addBatch();
  }

  void moveEdge(RightEdge edge) throws SQLException {
    updateEdge.setLong(1, edge.size());
    updateEdge.setBytes(2, edge.bytes());
    updateEdge.executeUpdate();
    database.notifyOthers(connection, edge.size());
  }

  void insertCheckpoint(StoredCheckpoint checkpoint) throws SQLException {
    insertCheckpoint.setLong(1, checkpoint.number());
    insertCheckpoint.setLong(2, checkpoint.size());
    insertCheckpoint.setString(3, checkpoint.note());
    insertCheckpoint.setBytes(4, checkpoint.hashes());
    insertCheckpoint.executeUpdate();
    committedBatch = committedBatch.with(checkpoint);
  }

  void commit() throws SQLException {
    stage = Stage.COMMITTING;
    connection.commit();
    stage = Stage.FORCING;
    database.makeDurable(connection, committedBatch);
    stage = Stage.WRITING;
    committedBatch = CommittedBatch.NOTHING;
  }

  void force() throws SQLException {
    database.force(connection);
  }

  void finish() throws SQLException {
    database.finish(connection);
  }

  void startOver() throws SQLException {
    database.startOver(connection);
  }

  void rollback() throws SQLException {
    insertEntry.clearBatch();
    insertTag.clearBatch();
    committedBatch = CommittedBatch.NOTHING;
    connection.rollback();
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
      throws SQLException {
    return EntryReader.read(connection, entrySelection, after, upTo, limit);
  }

  /** Closes the connection without trusting anything the engine still holds in memory. */
  void abandon() {
    database.abandon(connection);
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
