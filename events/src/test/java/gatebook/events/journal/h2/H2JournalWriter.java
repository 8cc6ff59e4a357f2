package gatebook.events.journal.h2;

import gatebook.events.journal.CommittedBatch;
import gatebook.events.journal.Entry;
import gatebook.events.journal.JournalSnapshot;
import gatebook.events.journal.JournalSnapshot.StoredEdge;
import gatebook.events.journal.RowCursor;
import gatebook.events.journal.StoredCheckpoint;
import gatebook.events.journal.tree.RightEdge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Writes a journal into H2, as it was before segments: the rows of a database, and the last events
 * only in the write-ahead log beside it.
 */
public final class H2JournalWriter {
  private static final List<String> SCHEMA =
      List.of(
          """
          CREATE TABLE journal (
            position BIGINT PRIMARY KEY, id VARCHAR(255) NOT NULL, name VARCHAR(255) NOT NULL,
            version VARCHAR(255) NOT NULL, at VARCHAR(40) NOT NULL, node VARCHAR(255) NOT NULL,
            tags VARCHAR NOT NULL, payload VARBINARY NOT NULL, metadata VARBINARY NOT NULL,
            leaf VARBINARY(32) NOT NULL)
          """,
          """
          CREATE TABLE journal_edge (
            one INT PRIMARY KEY CHECK (one = 1), size BIGINT NOT NULL, hashes VARBINARY NOT NULL)
          """,
          """
          CREATE TABLE journal_checkpoint (
            number BIGINT PRIMARY KEY, size BIGINT NOT NULL, note VARCHAR NOT NULL,
            hashes VARBINARY NOT NULL)
          """);

  private H2JournalWriter() {}

  /**
   * Writes all of a journal as rows.
   *
   * @param file of the database, without the extension that H2 adds
   */
  public static void write(JournalSnapshot journal, Path file) throws SQLException {
    writeRows(
        file, all(journal.events()), all(journal.checkpoints()), journal.edge().orElseThrow());
  }

  /** The same, but the events after this position are only in the log, each as a batch. */
  public static void write(JournalSnapshot journal, Path file, int rows)
      throws SQLException, IOException {
    List<Entry> entries = all(journal.events());
    List<StoredCheckpoint> checkpoints = all(journal.checkpoints());
    List<CommittedBatch> log = new ArrayList<>();
    for (Entry entry : entries.subList(rows, entries.size())) {
      log.add(new CommittedBatch(List.of(entry), null));
      checkpoints.stream()
          .filter(checkpoint -> checkpoint.size() == entry.position())
          .forEach(checkpoint -> log.add(new CommittedBatch(List.of(), checkpoint)));
    }
    writeRows(
        file,
        entries.subList(0, rows),
        checkpoints.stream().filter(checkpoint -> checkpoint.size() <= rows).toList());
    Files.write(Path.of(file + ".ahead.db"), LogRecords.encode(rows, log));
  }

  private static <T> List<T> all(RowCursor<T> cursor) {
    List<T> all = new ArrayList<>();
    try (cursor) {
      for (T next = cursor.next(); next != null; next = cursor.next()) {
        all.add(next);
      }
    }
    return all;
  }

  /** A connection to the database, as an administrator would have it. */
  public static Connection administrator(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:h2:nio:" + file.toAbsolutePath());
  }

  /** Writes rows, and the right edge that they lead to. */
  static void writeRows(Path file, List<Entry> entries, List<StoredCheckpoint> checkpoints)
      throws SQLException {
    RightEdge edge = new RightEdge();
    entries.forEach(entry -> edge.append(entry.leaf()));
    writeRows(file, entries, checkpoints, new StoredEdge(edge.size(), edge.bytes()));
  }

  private static void writeRows(
      Path file, List<Entry> entries, List<StoredCheckpoint> checkpoints, StoredEdge edge)
      throws SQLException {
    try (Connection connection = administrator(file)) {
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        for (String sql : SCHEMA) {
          statement.execute(sql);
        }
      }
      insert(connection, "journal", entries.stream().map(H2JournalWriter::columns).toList());
      insert(
          connection,
          "journal_checkpoint",
          checkpoints.stream().map(H2JournalWriter::columns).toList());
      insert(
          connection,
          "journal_edge",
          List.<Object[]>of(new Object[] {1, edge.size(), edge.hashes()}));
      connection.commit();
    }
  }

  private static Object[] columns(Entry entry) {
    return new Object[] {
      entry.position(),
      entry.id(),
      entry.name(),
      entry.version(),
      entry.at(),
      entry.node(),
      entry.tags(),
      entry.payload(),
      entry.metadata(),
      entry.leaf()
    };
  }

  private static Object[] columns(StoredCheckpoint checkpoint) {
    return new Object[] {
      checkpoint.number(), checkpoint.size(), checkpoint.note(), checkpoint.hashes()
    };
  }

  private static void insert(Connection connection, String table, List<Object[]> rows)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    String parameters = String.join(", ", Collections.nCopies(rows.getFirst().length, "?"));
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (" + parameters + ")")) {
      for (Object[] row : rows) {
        for (int i = 0; i < row.length; i++) {
          insert.setObject(i + 1, row[i]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }
}
