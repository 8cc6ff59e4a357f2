package gatebook.events.journal.crash;

import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.JournalSettings.Embedded;
import gatebook.events.journal.JournalSettings.Shared;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;

/** The right edge as the database has it, read beside the journal. */
record StoredEdge(long size, String hashes) {

  static StoredEdge of(JournalSettings.Location location) {
    try (Connection connection = connect(location);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT size, hashes FROM journal_edge")) {
      row.next();
      return new StoredEdge(row.getLong(1), HexFormat.of().formatHex(row.getBytes(2)));
    } catch (SQLException e) {
      throw new IllegalStateException("the right edge cannot be read", e);
    }
  }

  private static Connection connect(JournalSettings.Location location) throws SQLException {
    return switch (location) {
      case Embedded(var file, String fileSystem) ->
          DriverManager.getConnection("jdbc:h2:%s:%s".formatted(fileSystem, file));
      case Shared(String url, String user, String password) ->
          DriverManager.getConnection(url, user, password);
    };
  }

  Line line() {
    return Line.of("edge", Long.toString(size), hashes);
  }

  static StoredEdge of(Line line) {
    return new StoredEdge(line.number(1), line.at(2));
  }
}
