package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageWriter;
import gatebook.events.journal.storage.StorageWriter.Stage;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The writer of rows, on a session with the database. */
record RowWriter(RowSession session, Partitions partitions) implements StorageWriter {

  /** A change of the database. */
  @FunctionalInterface
  private interface Change {
    void run() throws SQLException;
  }

  private static void run(Change change) throws StorageFailure {
    try {
      change.run();
    } catch (SQLException e) {
      throw RowStorage.failure(e);
    }
  }

  @Override
  public Stage stage() {
    return session.stage();
  }

  @Override
  public RightEdge lockEdge() throws StorageFailure {
    return RowStorage.run(session::lockEdge);
  }

  @Override
  public RightEdge expectEdge() throws StorageFailure {
    return RowStorage.run(session::expectEdge);
  }

  @Override
  public void insert(List<Entry> entries) {
    session.insert(entries);
  }

  @Override
  public void moveEdge(RightEdge edge) {
    partitions.onSize(edge.size());
    session.moveEdge(edge);
  }

  @Override
  public void insertCheckpoint(StoredCheckpoint checkpoint) {
    session.insertCheckpoint(checkpoint);
  }

  @Override
  public void commit() throws StorageFailure {
    run(session::commit);
  }

  @Override
  public boolean commitIfUnmoved() throws StorageFailure {
    return RowStorage.run(session::commitIfUnmoved);
  }

  @Override
  public void rollback() throws StorageFailure {
    run(session::rollback);
  }

  @Override
  public void settle() throws StorageFailure {
    run(session::settle);
  }

  @Override
  public void finish() {
    // the server recovers its own database
  }

  @Override
  public @Nullable StoredCheckpoint newestCheckpoint() throws StorageFailure {
    try {
      return session.newestCheckpoint();
    } catch (SQLException e) {
      throw RowStorage.failure(e);
    }
  }

  @Override
  public @Nullable StoredCheckpoint checkpointOver(long size) throws StorageFailure {
    try {
      return session.checkpointOver(size);
    } catch (SQLException e) {
      throw RowStorage.failure(e);
    }
  }

  @Override
  public long lastPosition() throws StorageFailure {
    return RowStorage.run(session::lastPosition);
  }

  @Override
  public List<Entry> read(EntrySelection entrySelection, long after, long upTo, int limit)
      throws StorageFailure {
    return RowStorage.run(() -> session.read(entrySelection, after, upTo, limit));
  }

  @Override
  public void abandon() {
    session.abandon();
  }

  @Override
  public void close() {
    session.close();
  }
}
