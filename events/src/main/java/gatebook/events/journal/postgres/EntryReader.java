package gatebook.events.journal.postgres;

import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.tree.Sha256;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;

/**
 * Reads entries, the rows of a table, in the order of positions.
 *
 * @param table has the columns of the journal
 */
record EntryReader(String table) {
  static final EntryReader JOURNAL = new EntryReader("journal");

  /** The rows of events that stay where the others of their range are not in the journal. */
  static final EntryReader KEPT = new EntryReader("journal_kept");

  private static final String COLUMNS =
      "j.position, j.id, j.name, j.version, j.at, j.node, j.tags, j.payload, j.metadata, j.leaf";

  private static final String RANGE =
      "SELECT "
          + COLUMNS
          + " FROM %s j WHERE j.position > ? AND j.position <= ? ORDER BY j.position LIMIT ?";

  private static final String AT =
      "SELECT " + COLUMNS + " FROM %s j WHERE j.position = ANY(?) ORDER BY j.position";

  private static final String TAGGED =
      "SELECT position, last FROM journal_tag"
          + " WHERE tag = ? AND position > ? AND position <= ? AND last > ?"
          + " ORDER BY position LIMIT ?";

  /** At most {@code limit} entries with {@code after < position <= upTo}. */
  List<Entry> range(Connection connection, long after, long upTo, int limit) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(RANGE.formatted(table))) {
      select.setLong(1, after);
      select.setLong(2, upTo);
      select.setInt(3, limit);
      return entries(select);
    }
  }

  /** The entries at these positions that have a row. */
  List<Entry> at(Connection connection, Long[] positions) throws SQLException {
    if (positions.length == 0) {
      return List.of();
    }
    try (PreparedStatement select = connection.prepareStatement(AT.formatted(table))) {
      select.setArray(1, connection.createArrayOf("BIGINT", positions));
      return entries(select);
    }
  }

  /** The positions of the first events with any of the tags. */
  static Long[] positions(Connection connection, Set<String> tags, long after, long upTo, int limit)
      throws SQLException {
    SortedSet<Long> positions = new TreeSet<>();
    try (PreparedStatement select = connection.prepareStatement(TAGGED)) {
      for (String tag : tags) {
        select.setString(1, tag);
        select.setLong(2, after - IndexedTag.EVENTS_MAX);
        select.setLong(3, upTo);
        select.setLong(4, after);
        select.setInt(5, limit);
        addPositions(select, after, upTo, positions);
      }
    }
    return positions.stream().limit(limit).toArray(Long[]::new);
  }

  private static void addPositions(
      PreparedStatement select, long after, long upTo, Set<Long> positions) throws SQLException {
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        long first = Math.max(row.getLong(1), after + 1);
        long last = Math.min(row.getLong(2), upTo);
        LongStream.rangeClosed(first, last).forEach(positions::add);
      }
    }
  }

  /**
   * Adds the leaves of the rows after {@code after} up to {@code upTo}, as they are stored, where
   * there are none yet.
   *
   * @return whether each position has a row
   */
  boolean addLeaves(Connection connection, long after, long upTo, byte[][] leaves)
      throws SQLException {
    int found = 0;
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT position, leaf FROM %s WHERE position > ? AND position <= ? ORDER BY position"
                .formatted(table))) {
      select.setLong(1, after);
      select.setLong(2, upTo);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          int at = (int) (row.getLong(1) - after - 1);
          if (leaves[at] == null) {
            leaves[at] = Arrays.copyOf(row.getBytes(2), Sha256.BYTES);
          }
          found++;
        }
      }
    }
    return found == leaves.length;
  }

  /** The first position of a row after another one; the highest number when there is none. */
  long firstAfter(Connection connection, long after) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT MIN(position) FROM %s WHERE position > ?".formatted(table))) {
      select.setLong(1, after);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long first = row.getLong(1);
        return row.wasNull() ? Long.MAX_VALUE : first;
      }
    }
  }

  /** The newest time of the rows from one position to another; empty when there are none. */
  Optional<String> newestAt(Connection connection, long from, long to) throws SQLException {
    return RowsCursor.first(
            connection,
            "SELECT MAX(at) FROM %s WHERE position >= ? AND position <= ?".formatted(table),
            row -> Optional.ofNullable(row.getString(1)),
            from,
            to)
        .flatMap(it -> it);
  }

  Optional<Long> firstAt(Connection connection, String at) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT MIN(position) FROM %s WHERE at >= ?".formatted(table))) {
      select.setString(1, at);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long first = row.getLong(1);
        return row.wasNull() ? Optional.empty() : Optional.of(first);
      }
    }
  }

  /** The nodes of the events after a position with the time of the newest of each, newest first. */
  SequencedMap<String, String> nodesAfter(Connection connection, long after, int limit)
      throws SQLException {
    SequencedMap<String, String> nodes = new LinkedHashMap<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            ("SELECT node, MAX(at) AS newest FROM %s WHERE position > ?"
                    + " GROUP BY node ORDER BY newest DESC, node LIMIT ?")
                .formatted(table))) {
      select.setLong(1, after);
      select.setInt(2, limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          nodes.put(row.getString(1), row.getString(2));
        }
      }
    }
    return nodes;
  }

  private static List<Entry> entries(PreparedStatement select) throws SQLException {
    List<Entry> entries = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        entries.add(entry(row));
      }
    }
    return entries;
  }

  static Entry entry(ResultSet row) throws SQLException {
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
}
