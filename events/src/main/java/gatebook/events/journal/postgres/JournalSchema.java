package gatebook.events.journal.postgres;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.OpenRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;

/**
 * The schema of the journal's tables: created at the first start, recognised later, refused when a
 * newer version created it.
 */
final class JournalSchema {
  /** The statements of each version, which follow those of the version before it. */
  private static final List<String> RESOURCES = List.of("schema.sql", "schema-2.sql");

  private static final int VERSION = RESOURCES.size();

  private JournalSchema() {}

  static void prepare(PostgresDatabase database) throws OpenRefusal, SQLException {
    try (Connection connection = database.connect()) {
      database.lockSchema(connection);
      int found = version(connection);
      if (found > VERSION) {
        throw new OpenRefusal(
            "the database %s has journal schema %d and this version knows %d: use a newer gatebook"
                .formatted(database.describe(), found, VERSION));
      }
      for (int version = found + 1; version <= VERSION; version++) {
        create(connection, version);
      }
      connection.commit();
    }
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS journal_schema"
              + " (version INT PRIMARY KEY, installed_at VARCHAR(40) NOT NULL)");
      try (ResultSet row = statement.executeQuery("SELECT MAX(version) FROM journal_schema")) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  private static void create(Connection connection, int version) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : text(RESOURCES.get(version - 1)).split(";\\s*", -1)) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO journal_schema (version, installed_at) VALUES (?, ?)")) {
      insert.setInt(1, version);
      insert.setString(2, DraftEvent.formatTime(Instant.now()));
      insert.executeUpdate();
    }
  }

  private static String text(String resource) {
    try (InputStream in = JournalSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource " + resource + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
