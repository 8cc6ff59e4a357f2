package gatebook.events.keys.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.events.keys.ContentOwner;
import java.sql.Array;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a store of content keys in a shared database. A transaction locks the table of the
 * store before it uses the others, so that what it reads belongs together.
 */
final class KeyTables {

  private static final int CHUNK_ROWS = 1 << 12;
  private static final String KEY_COLUMNS = "id, of_node, principal, day, made_at, wrapped";

  private final Connection connection;

  /** The row of the store, as it is stored. */
  @SuppressWarnings("ArrayRecordComponent") // handed on at once and never compared
  record StoreRow(
      UUID store,
      long generation,
      String fingerprint,
      byte[] wrapped,
      long erasedUpTo,
      Optional<StoreContent.FirstLeaf> journal,
      Optional<WrappingRotation> unrecorded) {}

  /** The locks of the table of the store. */
  enum Lock {
    /** Nobody rewrites the store meanwhile. */
    READ("ACCESS SHARE"),
    /** Nobody else uses the store meanwhile. */
    REWRITE("ACCESS EXCLUSIVE");

    private final String mode;

    Lock(String mode) {
      this.mode = mode;
    }
  }

  KeyTables(Connection connection) {
    this.connection = connection;
  }

  void lock(Lock lock) throws SQLException {
    execute("LOCK TABLE content_key_store IN " + lock.mode + " MODE");
  }

  /** The row of the store; null before there is one. */
  @Nullable StoreRow row() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT * FROM content_key_store")) {
      return row.next() ? row(row) : null;
    }
  }

  private static StoreRow row(ResultSet row) throws SQLException {
    String journal = row.getString("journal");
    String before = row.getString("rotated_from");
    return new StoreRow(
        row.getObject("store", UUID.class),
        row.getLong("generation"),
        row.getString("fingerprint"),
        row.getBytes("wrapped"),
        row.getLong("erased_up_to"),
        Optional.ofNullable(journal).map(StoreContent.FirstLeaf::new),
        before == null
            ? Optional.empty()
            : Optional.of(
                new WrappingRotation(
                    before,
                    row.getString("fingerprint"),
                    Instant.ofEpochMilli(row.getLong("rotated_at")),
                    row.getString("rotated_by"))));
  }

  long generation() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT generation FROM content_key_store")) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  /** Inserts the row of the store, unless there is one. */
  void insert(StoreRow row) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO content_key_store VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                + " ON CONFLICT DO NOTHING")) {
      insert.setObject(1, row.store());
      insert.setLong(2, row.generation());
      insert.setString(3, row.fingerprint());
      insert.setBytes(4, row.wrapped());
      insert.setLong(5, row.erasedUpTo());
      insert.setString(6, row.journal().map(StoreContent.FirstLeaf::hex).orElse(null));
      WrappingRotation rotation = row.unrecorded().orElse(null);
      insert.setString(7, rotation == null ? null : rotation.before());
      insert.setObject(8, rotation == null ? null : rotation.at().toEpochMilli(), Types.BIGINT);
      insert.setString(9, rotation == null ? null : rotation.operator());
      insert.executeUpdate();
    }
  }

  void noteJournal(StoreContent.FirstLeaf leaf) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE content_key_store SET journal = ?")) {
      update.setString(1, leaf.hex());
      update.executeUpdate();
    }
  }

  void noteRotationRecorded() throws SQLException {
    execute("UPDATE content_key_store SET rotated_from = NULL");
  }

  /** All keys; those that are not current come first. */
  List<StoreRecord.WrappedKey> keys() throws SQLException {
    return keys(" ORDER BY is_current, made_at");
  }

  private List<StoreRecord.WrappedKey> keys(String rest, Object... values) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT " + KEY_COLUMNS + " FROM content_key" + rest)) {
      select.setFetchSize(CHUNK_ROWS);
      for (int i = 0; i < values.length; i++) {
        select.setObject(i + 1, values[i]);
      }
      List<StoreRecord.WrappedKey> keys = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          String principal = row.getBoolean(2) ? null : new String(row.getBytes(3), UTF_8);
          keys.add(
              new StoreRecord.WrappedKey(
                  idOf(row.getString(1)),
                  new ContentOwner(principal, row.getDate(4).toLocalDate()),
                  row.getLong(5),
                  row.getBytes(6)));
        }
      }
      return keys;
    }
  }

  Optional<StoreRecord.WrappedKey> key(long id) throws SQLException {
    return keys(" WHERE id = ?", PlainKey.text(id)).stream().findFirst();
  }

  /** The current keys of the owners of these keys, which are others where another node made one. */
  List<StoreRecord.WrappedKey> current(List<PlainKey> made) throws SQLException {
    Set<Long> ids = made.stream().map(PlainKey::id).collect(Collectors.toSet());
    List<StoreRecord.WrappedKey> current = new ArrayList<>();
    current.addAll(
        keys(
            " WHERE id = ANY (?)",
            (Object) ids.stream().map(PlainKey::text).toArray(String[]::new)));
    current.forEach(key -> ids.remove(key.id()));
    for (PlainKey key : made) {
      if (ids.contains(key.id())) {
        current.add(current(key.owner()));
      }
    }
    return current;
  }

  private StoreRecord.WrappedKey current(ContentOwner owner) throws SQLException {
    return keys(
            " WHERE is_current AND day = ? AND of_node = ? AND principal = ?",
            Date.valueOf(owner.day()),
            owner.principal() == null,
            PlainKey.nameBytes(owner.principal()))
        .getFirst();
  }

  /** Inserts keys, but for the current ones of owners that have one. */
  void insert(Stream<StoreRecord.WrappedKey> keys, boolean current) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO content_key (%s, is_current) VALUES (?, ?, ?, ?, ?, ?, ?)"
                    .formatted(KEY_COLUMNS)
                + " ON CONFLICT DO NOTHING")) {
      int rows = 0;
      for (Iterator<StoreRecord.WrappedKey> each = keys.iterator(); each.hasNext(); ) {
        StoreRecord.WrappedKey key = each.next();
        insert.setString(1, PlainKey.text(key.id()));
        insert.setBoolean(2, key.owner().principal() == null);
        insert.setBytes(3, PlainKey.nameBytes(key.owner().principal()));
        insert.setDate(4, Date.valueOf(key.owner().day()));
        insert.setLong(5, key.madeAtMillis());
        insert.setBytes(6, key.wrapped());
        insert.setBoolean(7, current);
        insert.addBatch();
        if (++rows % CHUNK_ROWS == 0) {
          insert.executeBatch();
        }
      }
      insert.executeBatch();
    }
  }

  List<Long> erased() throws SQLException {
    return ids("SELECT id FROM content_key_erased");
  }

  /** The ids of all keys, and of erased ones. */
  List<Long> allIds() throws SQLException {
    return ids("SELECT id FROM content_key UNION ALL SELECT id FROM content_key_erased");
  }

  private List<Long> ids(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<Long> ids = new ArrayList<>();
      while (row.next()) {
        ids.add(idOf(row.getString(1)));
      }
      return ids;
    }
  }

  void insertErased(long[] ids) throws SQLException {
    Array array =
        connection.createArrayOf("text", Arrays.stream(ids).mapToObj(PlainKey::text).toArray());
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO content_key_erased SELECT unnest(?)")) {
      insert.setArray(1, array);
      insert.executeUpdate();
    }
  }

  /** Empties the tables; their files are deleted when the transaction commits. */
  void empty() throws SQLException {
    execute("TRUNCATE content_key_store, content_key, content_key_erased");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static long idOf(String text) throws SQLException {
    Long id = PlainKey.id(text);
    if (id == null) {
      throw new SQLException("the id of a content key was changed");
    }
    return id;
  }
}
