package gatebook.events.journal.bench;

import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.h2.EmbeddedLocation;
import gatebook.events.journal.postgres.SharedLocation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Connects the benchmark itself to the databases, as the journal does. */
final class Databases {
  private Databases() {}

  static Connection connect(JournalSettings.Location location) throws SQLException {
    Connection connection =
        switch (location) {
          case EmbeddedLocation embedded -> DriverManager.getConnection(url(embedded));
          case SharedLocation shared ->
              DriverManager.getConnection(url(shared), shared.user(), shared.password());
          default -> throw new IllegalStateException("no connection to " + location);
        };
    connection.setAutoCommit(false);
    return connection;
  }

  private static String url(EmbeddedLocation embedded) {
    return "jdbc:h2:forced-in-order:%s:%s;WRITE_DELAY=500;RETENTION_TIME=0;DB_CLOSE_ON_EXIT=FALSE;TRACE_LEVEL_FILE=0"
        .formatted(embedded.fileSystem(), embedded.file().toAbsolutePath());
  }

  private static String url(SharedLocation shared) {
    return shared.url() + (shared.url().contains("?") ? "&" : "?") + "reWriteBatchedInserts=true";
  }
}
