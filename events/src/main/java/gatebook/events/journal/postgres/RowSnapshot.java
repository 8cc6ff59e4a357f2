package gatebook.events.journal.postgres;

import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.JournalSnapshot.StoredEdge;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.storage.WholeReading;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A snapshot of the rows of a journal, read in one transaction. */
final class RowSnapshot implements StorageSnapshot {
  private static final int PAGE = 1_000;

  private interface RowReader<T> {
    T of(ResultSet row) throws SQLException;
  }

  private final Connection connection;

  private RowSnapshot(Connection connection) {
    this.connection = connection;
  }

  static RowSnapshot of(PostgresDatabase database) throws SQLException {
    Connection connection = database.connect();
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    return new RowSnapshot(connection);
  }

  @Override
  public RowCursor<Entry> events() {
    return new Pages();
  }

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    return new WholeReading(this, () -> trustEvents(), this::ids);
  }

  private RowCursor<Entry> trustEvents() {
    return rows(
        "SELECT position, id, name, version, at, node, tags, payload, metadata, leaf"
            + " FROM journal WHERE name = ANY (string_to_array(?, ',')) ORDER BY position",
        EntryReader::entry,
        String.join(",", TrustEvents.NAMES));
  }

  private RowCursor<JournalSnapshot.Id> ids() {
    return rows(
        "SELECT id, position FROM journal ORDER BY id, position",
        row -> new JournalSnapshot.Id(row.getString(1), row.getLong(2)));
  }

  @Override
  public RowCursor<IndexedTag> tagIndex() {
    return rows(
        "SELECT tag, position, last FROM journal_tag ORDER BY position, tag",
        row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)));
  }

  @Override
  public Optional<StoredEdge> edge() {
    try (RowCursor<StoredEdge> edges =
        rows(
            "SELECT size, hashes FROM journal_edge WHERE one = 1",
            row -> new StoredEdge(row.getLong(1), row.getBytes(2)))) {
      return Optional.ofNullable(edges.next());
    }
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return rows(
        "SELECT number, size, note, hashes FROM journal_checkpoint ORDER BY number",
        CheckpointReader::of);
  }

  private <T> RowCursor<T> rows(String sql, RowReader<T> reader, String... parameters) {
    try {
      PreparedStatement select = connection.prepareStatement(sql);
      select.setFetchSize(PAGE);
      for (int i = 0; i < parameters.length; i++) {
        select.setString(i + 1, parameters[i]);
      }
      return new Rows<>(select, select.executeQuery(), reader);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  private static JournalUnreadable unreadable(SQLException e) {
    return new JournalUnreadable(RowStorage.failure(e));
  }

  /**
   * Reads rows by ranges of positions, so that the driver does not hold a whole journal in memory.
   */
  private final class Pages implements RowCursor<Entry> {
    private final ArrayDeque<Entry> page = new ArrayDeque<>();
    private long after = Long.MIN_VALUE;
    private boolean ended;

    @Override
    public @Nullable Entry next() {
      if (page.isEmpty() && !ended) {
        fetch();
      }
      return page.poll();
    }

    private void fetch() {
      try {
        List<Entry> read =
            EntryReader.read(
                connection, new EntrySelection.Everything(), after, Long.MAX_VALUE, PAGE);
        page.addAll(read);
        ended = read.size() < PAGE;
        after = read.isEmpty() ? after : read.getLast().position();
      } catch (SQLException e) {
        throw unreadable(e);
      }
    }

    @Override
    public void close() {
      page.clear();
      ended = true;
    }
  }

  private record Rows<T>(PreparedStatement select, ResultSet rows, RowReader<T> reader)
      implements RowCursor<T> {
    @Override
    public @Nullable T next() {
      try {
        return rows.next() ? reader.of(rows) : null;
      } catch (SQLException e) {
        throw unreadable(e);
      }
    }

    @Override
    public void close() {
      try {
        select.close();
      } catch (SQLException e) {
        throw unreadable(e);
      }
    }
  }
}
