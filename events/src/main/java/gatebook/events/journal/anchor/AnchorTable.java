package gatebook.events.journal.anchor;

import gatebook.events.journal.postgres.SharedLocation;
import gatebook.events.journal.postgres.SharedTable;
import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/** Records in a table of a database that several nodes share. */
public final class AnchorTable implements AnchorRecords {

  /** An arbitrary number, the same in every process. */
  private static final long CREATION_LOCK = 0x616e_6368_6f72_7331L;

  private final SharedTable table;

  public AnchorTable(SharedLocation location) {
    this.table =
        new SharedTable(
            location,
            "gatebook anchors",
            CREATION_LOCK,
            """
            CREATE TABLE IF NOT EXISTS checkpoint_anchors (
              anchor TEXT PRIMARY KEY,
              claimed_until TIMESTAMPTZ NOT NULL,
              note TEXT,
              anchored_at TIMESTAMPTZ)
            """);
  }

  /** The clock of the database ends a claim, so that the clocks of nodes may differ. */
  @Override
  public synchronized boolean claim(String anchor, Duration interval) throws IOException {
    return table.run(connection -> {
      try (PreparedStatement claim =
          connection.prepareStatement(
              """
              INSERT INTO checkpoint_anchors AS present (anchor, claimed_until)
              VALUES (?, now() + ? * interval '1 millisecond')
              ON CONFLICT (anchor) DO UPDATE SET claimed_until = excluded.claimed_until
              WHERE present.claimed_until <= now()
              """)) {
        claim.setString(1, anchor);
        claim.setLong(2, interval.toMillis());
        return claim.executeUpdate() == 1;
      }
    });
  }

  @Override
  public synchronized Optional<Anchored> read(String anchor) throws IOException {
    return table.run(connection -> {
      try (PreparedStatement select =
          connection.prepareStatement(
              """
              SELECT note, anchored_at FROM checkpoint_anchors
              WHERE anchor = ? AND note IS NOT NULL
              """)) {
        select.setString(1, anchor);
        try (ResultSet row = select.executeQuery()) {
          return row.next()
              ? Optional.of(
                  new Anchored(
                      row.getString(1), row.getObject(2, OffsetDateTime.class).toInstant()))
              : Optional.empty();
        }
      }
    });
  }

  @Override
  public synchronized void write(String anchor, Anchored anchored) throws IOException {
    var _ =
        table.run(connection -> {
          try (PreparedStatement update =
              connection.prepareStatement(
                  "UPDATE checkpoint_anchors SET note = ?, anchored_at = ? WHERE anchor = ?")) {
            update.setString(1, anchored.note());
            update.setObject(2, anchored.at().atOffset(ZoneOffset.UTC));
            update.setString(3, anchor);
            return update.executeUpdate();
          }
        });
  }

  @Override
  public synchronized void close() {
    table.close();
  }
}
