package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.tree.RightEdge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one statement that appends a batch: moves the right edge, inserts entries and tags, and
 * notifies other processes; all of it only if the edge is in the expected version of its row.
 *
 * <p>A statement that waits for another transaction's lock on the edge compares with what that
 * transaction left.
 *
 * <p>The edge is found by its place, not by its key: while any transaction of the database lasts,
 * its old versions stay, and a lookup by key passes over all of them.
 */
final class AppendStatement {
  /**
   * The columns are arrays, so that one prepared statement takes batches of every size. Unnesting
   * them in the list of columns takes the server half as long as in the clause FROM, where it would
   * first keep the values of each array.
   */
  private static final String SQL =
      """
      WITH edge AS (
        UPDATE journal_edge SET size = ?, hashes = ? WHERE ctid = ?::tid AND xmin::text = ?
        RETURNING size, xmin::text AS version, ctid::text AS place),
      entries AS (
        INSERT INTO journal
          (position, id, name, version, at, node, tags, payload, metadata, leaf)
        SELECT unnest(?::bigint[]), unnest(?::text[]), unnest(?::text[]), unnest(?::text[]),
          unnest(?::text[]), unnest(?::text[]), unnest(?::text[]), unnest(?::bytea[]),
          unnest(?::bytea[]), unnest(?::bytea[]) FROM edge),
      tags AS (
        INSERT INTO journal_tag (tag, position, last)
        SELECT unnest(?::text[]), unnest(?::bigint[]), unnest(?::bigint[]) FROM edge)
      SELECT version, place, pg_notify('%s', size::text) FROM edge
      """
          .formatted(PostgresDatabase.CHANNEL);

  private final Connection connection;
  private final PreparedStatement statement;

  AppendStatement(Connection connection) throws SQLException {
    this.connection = connection;
    this.statement = connection.prepareStatement(SQL);
  }

  /**
   * Appends entries with consecutive positions.
   *
   * @param expected the edge's row that they follow
   * @return the new one; null when the row has another version than expected: then nothing was
   *     stored
   */
  @Nullable EdgeRow execute(EdgeRow expected, RightEdge newEdge, List<Entry> entries)
      throws SQLException {
    statement.setLong(1, newEdge.size());
    statement.setBytes(2, newEdge.bytes());
    statement.setString(3, expected.place());
    statement.setString(4, expected.version());
    set(5, "bigint", column(entries, Entry::position, Long[]::new));
    set(6, "text", column(entries, Entry::id, String[]::new));
    set(7, "text", column(entries, Entry::name, String[]::new));
    set(8, "text", column(entries, Entry::version, String[]::new));
    set(9, "text", column(entries, Entry::at, String[]::new));
    set(10, "text", column(entries, Entry::node, String[]::new));
    set(11, "text", column(entries, Entry::tags, String[]::new));
    set(12, "bytea", column(entries, Entry::payload, byte[][]::new));
    set(13, "bytea", column(entries, Entry::metadata, byte[][]::new));
    set(14, "bytea", column(entries, Entry::leaf, byte[][]::new));
    List<IndexedTag> lines = TagIndex.of(entries);
    set(15, "text", column(lines, IndexedTag::tag, String[]::new));
    set(16, "bigint", column(lines, IndexedTag::first, Long[]::new));
    set(17, "bigint", column(lines, IndexedTag::last, Long[]::new));
    try (ResultSet row = statement.executeQuery()) {
      return row.next() ? new EdgeRow(newEdge, row.getString(1), row.getString(2)) : null;
    }
  }

  private static <T, V> V[] column(List<T> rows, Function<T, V> value, IntFunction<V[]> newColumn) {
    return rows.stream().map(value).toArray(newColumn);
  }

  private void set(int parameter, String type, Object[] values) throws SQLException {
    statement.setArray(parameter, connection.createArrayOf(type, values));
  }
}
