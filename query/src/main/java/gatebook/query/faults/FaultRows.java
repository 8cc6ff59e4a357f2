package gatebook.query.faults;

import gatebook.events.MessagesRefused;
import gatebook.events.journal.Entry;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.PageRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the faults on one page, inserted as a batch. */
final class FaultRows implements PageRows {
  /** The maximum number of fault keys in one event; there are fewer. */
  private static final long KEYS_MAX = 1_000;

  private final Connection view;

  /** Cached, because there are few different keys. */
  private final Map<FaultKey, Long> fingerprints = new HashMap<>();

  /** Prepared for the first row: most pages have none. */
  private @Nullable PreparedStatement insert;

  FaultRows(Connection view) {
    this.view = view;
  }

  void add(UUID call, Entry entry, FaultKey faultKey, AddressedAgent agent) throws SQLException {
    add(call, entry, 0, faultKey, agent, 1);
  }

  /**
   * @param number tells the counts of one event apart
   */
  void add(Entry entry, int number, MessagesRefused.Count count) throws SQLException {
    FaultKey faultKey = new FaultKey(count.dialect(), null, count.fault(), null, null);
    add(null, entry, number, faultKey, AddressedAgent.NONE, count.count());
  }

  private void add(
      @Nullable UUID call,
      Entry entry,
      int number,
      FaultKey faultKey,
      AddressedAgent agent,
      long times)
      throws SQLException {
    PreparedStatement statement = insertStatement();
    int at = 0;
    statement.setObject(++at, call);
    statement.setLong(++at, entry.position());
    statement.setLong(++at, entry.position());
    statement.setLong(++at, entry.position() * KEYS_MAX + number);
    statement.setLong(++at, EpochNanos.of(entry.at()));
    statement.setLong(++at, fingerprints.computeIfAbsent(faultKey, FaultKey::fingerprint));
    statement.setString(++at, faultKey.dialect().word());
    statement.setString(++at, faultKey.code());
    statement.setString(++at, faultKey.fault());
    statement.setString(++at, faultKey.gate());
    statement.setString(++at, faultKey.target());
    statement.setString(++at, agent.agent());
    statement.setString(++at, agent.skill());
    statement.setLong(++at, times);
    statement.addBatch();
  }

  private PreparedStatement insertStatement() throws SQLException {
    PreparedStatement statement = insert;
    if (statement == null) {
      statement =
          view.prepareStatement(
              "INSERT INTO faults (call, position, changed, place, at, fingerprint, dialect, code,"
                  + " fault, gate, target, agent, skill, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?,"
                  + " ?, ?, ?, ?, ?, ?)");
      insert = statement;
    }
    return statement;
  }

  @Override
  public void write() throws SQLException {
    if (insert != null) {
      insert.executeBatch();
    }
  }

  @Override
  public void close() throws SQLException {
    if (insert != null) {
      insert.close();
    }
  }
}
