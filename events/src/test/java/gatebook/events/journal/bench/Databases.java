package gatebook.events.journal.bench;

import gatebook.events.journal.JournalSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** How the benchmark itself reaches the databases: as the journal does. */
final class Databases {
  private Databases() {}

  static Connection connect(JournalSettings.Location location) throws SQLException {
    Connection connection =
        switch (location) {
          case JournalSettings.Embedded embedded -> DriverManager.getConnection(url(embedded));
          case JournalSettings.Shared shared ->
              DriverManager.getConnection(url(shared), shared.user(), shared.password());
        };
    connection.setAutoCommit(false);
    return connection;
  }

  private static String url(JournalSettings.Embedded embedded) {
    return "jdbc:h2:forced-in-order:%s:%s;WRITE_DELAY=500;RETENTION_TIME=0;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
        .formatted(embedded.fileSystem(), embedded.file().toAbsolutePath());
  }

  private static String url(JournalSettings.Shared shared) {
    return shared.url() + (shared.url().contains("?") ? "&" : "?") + "reWriteBatchedInserts=true";
  }
}
