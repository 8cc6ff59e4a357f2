package gatebook.events.journal.crash;

import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.Journals;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;

/** The stored right edge, read from the database beside the journal. */
record StoredEdge(long size, String hashes) {

  static StoredEdge of(JournalSettings.Location location) {
    try (Connection connection = Journals.administrator(location);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT size, hashes FROM journal_edge")) {
      row.next();
      return new StoredEdge(row.getLong(1), HexFormat.of().formatHex(row.getBytes(2)));
    } catch (SQLException e) {
      throw new IllegalStateException("the right edge cannot be read", e);
    }
  }

  Line line() {
    return Line.of("edge", Long.toString(size), hashes);
  }

  static StoredEdge of(Line line) {
    return new StoredEdge(line.number(1), line.at(2));
  }
}
