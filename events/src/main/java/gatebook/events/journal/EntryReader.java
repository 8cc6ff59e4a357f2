package gatebook.events.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads rows of the journal in the order of positions. */
final class EntryReader {
  private static final String COLUMNS =
      "j.position, j.id, j.name, j.version, j.at, j.node, j.tags, j.payload, j.metadata, j.leaf";

  private static final String RANGE =
      "SELECT "
          + COLUMNS
          + " FROM journal j WHERE j.position > ? AND j.position <= ? ORDER BY j.position LIMIT ?";

  private static final String TAGGED =
      "SELECT "
          + COLUMNS
          + " FROM journal_tag t JOIN journal j ON j.position = t.position"
          + " WHERE t.tag = ? AND t.position > ? AND t.position <= ? ORDER BY t.position LIMIT ?";

  private EntryReader() {}

  /** At most {@code limit} entries of the selection with {@code after < position <= upTo}. */
  static List<Entry> read(
      Connection connection, Selection selection, long after, long upTo, int limit)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql(selection))) {
      int parameter = 0;
      if (selection instanceof Selection.Tagged tagged) {
        for (String tag : tagged.tags()) {
          select.setString(++parameter, tag);
        }
      }
      select.setLong(++parameter, after);
      select.setLong(++parameter, upTo);
      select.setInt(++parameter, limit);
      return entries(select);
    }
  }

  static Optional<Long> firstAt(Connection connection, String at) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT MIN(position) FROM journal WHERE at >= ?")) {
      select.setString(1, at);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        long first = row.getLong(1);
        return row.wasNull() ? Optional.empty() : Optional.of(first);
      }
    }
  }

  private static String sql(Selection selection) {
    return switch (selection) {
      case Selection.Everything _ -> RANGE;
      case Selection.Tagged tagged when tagged.tags().size() == 1 -> TAGGED;
      case Selection.Tagged tagged -> anyTag(tagged.tags().size());
    };
  }

  private static String anyTag(int tags) {
    return "SELECT "
        + COLUMNS
        + " FROM (SELECT DISTINCT position FROM journal_tag WHERE tag IN (?"
        + ", ?".repeat(tags - 1)
        + ") AND position > ? AND position <= ? ORDER BY position LIMIT ?) t"
        + " JOIN journal j ON j.position = t.position ORDER BY j.position";
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
