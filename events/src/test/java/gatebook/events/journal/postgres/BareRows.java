package gatebook.events.journal.postgres;

import gatebook.events.journal.AppendSample;
import gatebook.events.journal.AppendSubject;
import gatebook.events.journal.BatchLoop;
import gatebook.events.journal.Journals;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.JournalSettings;
import gatebook.events.journal.tree.RightEdge;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * A bare loop over rows, the most that the database could do without a journal: one thread stores
 * batch after batch with the journal's statement, in auto-commit, and hashes nothing.
 */
public final class BareRows implements AppendSubject {
  private static final int PAYLOAD_BYTES = 600;
  private static final int EVENTS_PER_CALL = 2;

  private final Connection connection;
  private final AppendStatement appendStatement;
  private final RightEdge edge = new RightEdge();
  private EdgeRow known;
  private String call = "";
  private long position;

  public BareRows(JournalSettings settings) throws SQLException {
    Journals.opened(settings).close();
    this.connection = Journals.administrator((SharedLocation) settings.location());
    this.appendStatement = new AppendStatement(connection);
    try (ResultSet row =
        connection
            .createStatement()
            .executeQuery("SELECT xmin::text, ctid::text FROM journal_edge")) {
      row.next();
      this.known = new EdgeRow(edge, row.getString(1), row.getString(2));
    }
  }

  @Override
  public AppendSample measure(int callers, double eventsPerBatch, long millis) throws SQLException {
    return new BatchLoop<>(this::write).measure(position, eventsPerBatch, millis);
  }

  private void write(long upTo) throws SQLException {
    List<Entry> batch = new ArrayList<>();
    while (position < upTo) {
      batch.add(entry(++position));
    }
    known = Objects.requireNonNull(appendStatement.execute(known, edge, batch));
  }

  private Entry entry(long at) {
    if (at % EVENTS_PER_CALL == 1) {
      call = "call:" + UUID.randomUUID();
    }
    return new Entry(
        at,
        "0199a1b2-0001-7000-8000-000000000001",
        "gatebook.call.Denied",
        "1",
        "2026-01-02T03:04:05.000000000Z",
        "node-1",
        call,
        new byte[PAYLOAD_BYTES],
        new byte[2],
        new byte[32]);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
