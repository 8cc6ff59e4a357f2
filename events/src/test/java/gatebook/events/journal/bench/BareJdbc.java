package gatebook.events.journal.bench;

import gatebook.events.journal.DraftEvent;
import gatebook.events.journal.JournalSettings;
import gatebook.events.journal.Journals;
import gatebook.events.journal.postgres.SharedLocation;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Bare JDBC, the most that the engine could do without a journal: one thread writes prepared rows
 * into the journal's tables, moves the edge and commits, batch after batch.
 */
final class BareJdbc implements Subject {
  private static final int PREPARED_ROWS = 4_096;
  private static final int EDGE_BYTES = 320;

  private final Connection connection;
  private final PreparedStatement insertEntry;
  private final PreparedStatement insertTag;
  private final PreparedStatement updateEdge;
  private static final int EVENTS_PER_CALL = 2;

  private final List<DraftEvent> rows = new ArrayList<>();
  private final byte[] leaf = new byte[32];
  private final byte[] edge = new byte[EDGE_BYTES];
  private long position;

  BareJdbc(JournalSettings settings) throws SQLException {
    Journals.opened(settings).close();
    this.connection = connect((SharedLocation) settings.location());
    this.insertEntry =
        connection.prepareStatement(
            "INSERT INTO journal"
                + " (position, id, name, version, at, node, tags, payload, metadata, leaf)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    this.insertTag =
        connection.prepareStatement(
            "INSERT INTO journal_tag (tag, position, last) VALUES (?, ?, ?)");
    this.updateEdge =
        connection.prepareStatement("UPDATE journal_edge SET size = ?, hashes = ? WHERE one = 1");
    Drafts drafts = new Drafts();
    for (int i = 0; i < PREPARED_ROWS; i++) {
      rows.add(drafts.denied(DeniedCall.newCallId()));
    }
    ThreadLocalRandom.current().nextBytes(leaf);
  }

  /** Connects as the journal does. */
  private static Connection connect(SharedLocation shared) throws SQLException {
    Connection connection =
        DriverManager.getConnection(
            shared.url() + "&reWriteBatchedInserts=true", shared.user(), shared.password());
    connection.setAutoCommit(false);
    return connection;
  }

  @Override
  public Sample measure(int callers, double eventsPerBatch, long millis) throws SQLException {
    return new BatchLoop<>(this::write).measure(position, eventsPerBatch, millis);
  }

  private void write(long upTo) throws SQLException {
    while (position < upTo) {
      add(++position, rows.get((int) (position % PREPARED_ROWS)));
    }
    insertEntry.executeBatch();
    insertTag.executeBatch();
    updateEdge.setLong(1, position);
    updateEdge.setBytes(2, edge);
    updateEdge.executeUpdate();
    connection.commit();
  }

  private void add(long at, DraftEvent row) throws SQLException {
    insertEntry.setLong(1, at);
    insertEntry.setString(2, row.id());
    insertEntry.setString(3, row.name());
    insertEntry.setString(4, row.version());
    insertEntry.setString(5, row.at());
    insertEntry.setString(6, "node-1");
    insertEntry.setString(7, row.tagsText());
    insertEntry.setBytes(8, row.payload());
    insertEntry.setBytes(9, row.metadata());
    insertEntry.setBytes(10, leaf);
    insertEntry.addBatch();
    if (at % EVENTS_PER_CALL == 1) {
      insertTag.setString(1, "call:" + DeniedCall.newCallId());
      insertTag.setLong(2, at);
      insertTag.setLong(3, at + EVENTS_PER_CALL - 1);
      insertTag.addBatch();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
