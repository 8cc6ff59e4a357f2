package gatebook.events.journal.postgres;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.storage.NewerFormat;
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
  private static final List<String> RESOURCES =
      List.of("schema.sql", "schema-2.sql", "schema-3.sql", "schema-4.sql");

  private static final int VERSION = RESOURCES.size();

  /** Since this version the table of events has partitions. */
  private static final int PARTITIONED = 3;

  private JournalSchema() {}

  /**
   * Creates what is missing.
   *
   * @param partitionEvents how many positions a partition has
   */
  static void prepare(PostgresDatabase database, long partitionEvents)
      throws OpenRefusal, SQLException {
    try (Connection connection = database.connect()) {
      database.lockSchemaUntilClosed(connection);
      int found = foundVersion(connection);
      requireKnown(database, found);
      PartitionUpgrade upgrade = new PartitionUpgrade(connection, partitionEvents);
      for (int version = found + 1; version <= VERSION; version++) {
        if (version == PARTITIONED) {
          upgrade.bound();
          upgrade.limitWaits();
        }
        create(connection, version);
        if (version == PARTITIONED) {
          upgrade.attach();
        }
        connection.commit();
      }
    }
  }

  /** Refuses a schema that is not the one of this version, and changes nothing. */
  static void requireCurrent(PostgresDatabase database) throws OpenRefusal, SQLException {
    try (Connection connection = database.connect()) {
      int found = version(connection);
      requireKnown(database, found);
      if (found < VERSION) {
        throw new OpenRefusal(
            "the database %s has journal schema %d and this version needs %d: start a node of this version once"
                .formatted(database.describe(), found, VERSION));
      }
    }
  }

  private static void requireKnown(PostgresDatabase database, int found) throws OpenRefusal {
    if (found > VERSION) {
      throw new OpenRefusal(
          NewerFormat.sentence(
              "the schema of the database " + database.describe(), found, VERSION));
    }
  }

  private static int foundVersion(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS journal_schema"
              + " (version INT PRIMARY KEY, installed_at VARCHAR(40) NOT NULL)");
    }
    int found = version(connection);
    connection.commit();
    return found;
  }

  private static int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(version) FROM journal_schema")) {
      row.next();
      return row.getInt(1);
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
