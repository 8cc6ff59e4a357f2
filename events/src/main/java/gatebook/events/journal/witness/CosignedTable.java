package gatebook.events.journal.witness;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.postgres.SharedTable;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.Optional;

/**
 * Cosigned checkpoints in a table of a database that several nodes share. The table is created when
 * it is first needed.
 */
public final class CosignedTable implements CosignedCheckpoints {

  /** An arbitrary number, the same in every process. */
  private static final long CREATION_LOCK = 0x7769_746e_6573_7331L;

  private final SharedTable database;
  private final String table;

  private CosignedTable(SharedLocation location, String table) {
    this.table = table;
    this.database =
        new SharedTable(
            location,
            "gatebook witness",
            CREATION_LOCK,
            "CREATE TABLE IF NOT EXISTS " + table + " (log TEXT PRIMARY KEY, note TEXT NOT NULL)");
  }

  /** What a witness cosigned of other logs. */
  public static CosignedTable ofLogs(SharedLocation location) {
    return new CosignedTable(location, "witness_cosigned");
  }

  /** What witnesses cosigned of this log. */
  public static CosignedTable ofWitnesses(SharedLocation location) {
    return new CosignedTable(location, "journal_cosigned");
  }

  @Override
  public synchronized Optional<String> read(String log) throws IOException {
    return database.run(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement("SELECT note FROM " + table + " WHERE log = ?")) {
        select.setString(1, log);
        try (ResultSet row = select.executeQuery()) {
          return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
        }
      }
    });
  }

  /** The row of the log decides between nodes: it has one note, and the last reader's is gone. */
  @Override
  public synchronized boolean replace(String log, Optional<String> before, String after)
      throws IOException {
    return database.run(connection -> {
      String sql =
          before.isPresent()
              ? "UPDATE " + table + " SET note = ? WHERE log = ? AND note = ?"
              : "INSERT INTO " + table + " (note, log) VALUES (?, ?) ON CONFLICT DO NOTHING";
      try (PreparedStatement write = connection.prepareStatement(sql)) {
        write.setString(1, after);
        write.setString(2, log);
        if (before.isPresent()) {
          write.setString(3, before.get());
        }
        return write.executeUpdate() == 1;
      }
    });
  }

  @Override
  public synchronized void close() {
    database.close();
  }
}
