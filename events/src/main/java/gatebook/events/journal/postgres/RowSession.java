package gatebook.events.journal.postgres;

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
 * edge to the commit, which returns when the server has forced it.
 *
 * <p>After a failure {@link #stage()} says what can have happened: nothing, or perhaps the commit.
 */
final class RowSession implements AutoCloseable {
  private final PostgresDatabase database;
  private final Connection connection;
  private final PreparedStatement lockEdge;
  private final PreparedStatement insertEntry;
  private final PreparedStatement insertTag;
  private final PreparedStatement updateEdge;
  private final PreparedStatement insertCheckpoint;
  private Stage stage = Stage.WRITING;

  static RowSession open(PostgresDatabase database) throws SQLException {
    Connection connection = database.connectToWrite();
    try {
      return new RowSession(database, connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private RowSession(PostgresDatabase database, Connection connection) throws SQLException {
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
    try (ResultSet row = lockEdge.executeQuery()) {
      Optional<RightEdge> edge =
          row.next() ? RightEdge.restored(row.getLong(1), row.getBytes(2)) : Optional.empty();
      return edge.orElseThrow(
          () -> new SQLException("the row in table journal_edge is not a right edge"));
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
  }

  void commit() throws SQLException {
    stage = Stage.COMMITTING;
    connection.commit();
    stage = Stage.WRITING;
  }

  void rollback() throws SQLException {
    insertEntry.clearBatch();
    insertTag.clearBatch();
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
