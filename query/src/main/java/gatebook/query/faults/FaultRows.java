package gatebook.query.faults;

import gatebook.events.MessagesRefused;
import gatebook.events.journal.storage.Entry;
import gatebook.query.counts.CountBatch;
import gatebook.query.counts.CountTable;
import gatebook.query.projection.EpochNanos;
import gatebook.query.projection.PageRows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of the faults on one page, inserted as a batch. */
final class FaultRows implements PageRows {
  /** The maximum number of fault keys in one event; there are fewer. */
  private static final long KEYS_MAX = 1_000;

  static final CountTable COUNTS =
      new CountTable(
          "fault_counts",
          "faults",
          "place",
          "times",
          List.of("fingerprint", "dialect", "code", "fault", "gate", "target", "agent", "skill"));

  private final Connection view;
  private final CountBatch countBatch;

  /** Cached, because there are few different keys. */
  private final Map<FaultKey, Long> fingerprints = new HashMap<>();

  private final Map<String, Long> countKeys = new HashMap<>();

  /** Prepared for the first row: most pages have none. */
  private @Nullable PreparedStatement insert;

  FaultRows(Connection view) {
    this.view = view;
    this.countBatch = new CountBatch(view, COUNTS);
  }

  void add(UUID call, Entry entry, FaultKey faultKey, AddressedAgent agent) throws SQLException {
    add(call, entry, 0, faultKey, agent, 1);
  }

  /**
   * @param number tells the counts of one event apart
   */
  void add(Entry entry, int number, MessagesRefused.Count count) throws SQLException {
    FaultKey faultKey = FaultKey.of(count);
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
    long fingerprint = fingerprints.computeIfAbsent(faultKey, FaultKey::fingerprint);
    long countKey = countKey(fingerprint, agent);
    long place = entry.position() * KEYS_MAX + number;
    long happenedAt = EpochNanos.of(entry.at());
    int at = 0;
    statement.setObject(++at, call);
    statement.setLong(++at, entry.position());
    statement.setLong(++at, entry.position());
    statement.setLong(++at, place);
    statement.setLong(++at, happenedAt);
    statement.setLong(++at, fingerprint);
    statement.setString(++at, faultKey.dialect().word());
    statement.setString(++at, faultKey.code());
    statement.setString(++at, faultKey.fault());
    statement.setString(++at, faultKey.gate());
    statement.setString(++at, faultKey.target());
    statement.setString(++at, agent.agent());
    statement.setString(++at, agent.skill());
    statement.setLong(++at, times);
    statement.setLong(++at, countKey);
    statement.addBatch();
    countBatch.add(happenedAt, countKey, times, place);
  }

  private long countKey(long fingerprint, AddressedAgent agent) {
    return countKeys.computeIfAbsent(
        "%x\0%s\0%s".formatted(fingerprint, text(agent.agent()), text(agent.skill())),
        CountTable::key);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : "=" + value;
  }

  private PreparedStatement insertStatement() throws SQLException {
    PreparedStatement statement = insert;
    if (statement == null) {
      statement =
          view.prepareStatement(
              "INSERT INTO faults (call, position, changed, place, at, fingerprint, dialect, code,"
                  + " fault, gate, target, agent, skill, times, count_key) VALUES (?, ?, ?, ?, ?,"
                  + " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
      insert = statement;
    }
    return statement;
  }

  @Override
  public void write() throws SQLException {
    if (insert != null) {
      insert.executeBatch();
    }
    countBatch.write();
  }

  @Override
  public void close() throws SQLException {
    if (insert != null) {
      insert.close();
    }
  }
}
