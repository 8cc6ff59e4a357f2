package gatebook.events.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of everything that a journal stores at one moment, exactly as it is found, for checks
 * that must not trust it.
 *
 * <p>It needs no key and changes nothing.
 */
public final class JournalSnapshot implements AutoCloseable {
  private static final int PAGE = 1_000;

  /** The result of taking a snapshot. */
  public sealed interface TakeResult {
    record Taken(JournalSnapshot snapshot) implements TakeResult {}

    record Refused(String sentence) implements TakeResult {}
  }

  /** An event's id and position. */
  public record Id(String id, long position) {}

  /** A line of the tag index: every event from the first to the last position has the tag. */
  public record IndexedTag(String tag, long first, long last) {
    /** The most events in one line, so that a search need not look far back. */
    public static final int EVENTS_MAX = 256;
  }

  /** The right edge as it is stored, whether or not it is a valid one. */
  @SuppressWarnings("ArrayRecordComponent") // the bytes as stored; never compared as a record
  public record StoredEdge(long size, byte[] hashes) {}

  private interface RowReader<T> {
    T of(ResultSet row) throws SQLException;
  }

  private final Connection connection;
  private final Optional<byte[]> checkpointFile;
  private final boolean requiresCheckpointFile;
  private final Runnable atEnd;

  private JournalSnapshot(
      Connection connection,
      Optional<byte[]> file,
      boolean requiresCheckpointFile,
      Runnable atEnd) {
    this.connection = connection;
    this.checkpointFile = file;
    this.requiresCheckpointFile = requiresCheckpointFile;
    this.atEnd = atEnd;
  }

  /** Takes a snapshot of a journal that is not open in this process. */
  public static TakeResult take(JournalSettings settings) {
    Database database = settings.database();
    try {
      database.requireExisting();
      database.check();
      return new TakeResult.Taken(of(settings, database, database::close));
    } catch (OpenRefusal e) {
      database.close();
      return new TakeResult.Refused(e.sentence());
    } catch (SQLException e) {
      database.close();
      return new TakeResult.Refused(
          "the database %s cannot be opened: %s"
              .formatted(database.describe(), DatabaseFailure.describe(e)));
    }
  }

  /** Takes a snapshot of the journal that has this database open. */
  static JournalSnapshot ofOpen(JournalSettings settings, Database database) {
    try {
      return of(settings, database, () -> {});
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    }
  }

  /**
   * The file is read before the database: so it is never newer than the database was at that
   * moment, and never covers events that this snapshot does not have.
   */
  static JournalSnapshot of(JournalSettings settings, Database database, Runnable atEnd)
      throws SQLException {
    Optional<byte[]> file =
        Optional.ofNullable(new CheckpointFile(settings.checkpointFile()).read());
    Connection connection = database.connect();
    connection.setTransactionIsolation(database.snapshotIsolation());
    return new JournalSnapshot(connection, file, !database.isShared(), atEnd);
  }

  /** The checkpoint in the file beside the journal; empty when there is no such file. */
  public Optional<byte[]> checkpointFile() {
    return checkpointFile;
  }

  /** Whether the checkpoint file must exist: nodes that share a database need not have one. */
  public boolean requiresCheckpointFile() {
    return requiresCheckpointFile;
  }

  /** The events, by ascending position. */
  public RowCursor<Entry> events() {
    return new Pages();
  }

  public RowCursor<Entry> eventsNamed(String name) {
    return rows(
        "SELECT position, id, name, version, at, node, tags, payload, metadata, leaf"
            + " FROM journal WHERE name = ? ORDER BY position",
        EntryReader::entry,
        name);
  }

  /** Every event's id, equal ids together and by ascending position. */
  public RowCursor<Id> ids() {
    return rows(
        "SELECT id, position FROM journal ORDER BY id, position",
        row -> new Id(row.getString(1), row.getLong(2)));
  }

  /** The tag index, by ascending position of the first event. */
  public RowCursor<IndexedTag> tagIndex() {
    return rows(
        "SELECT tag, position, last FROM journal_tag ORDER BY position, tag",
        row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)));
  }

  /** The right edge; empty when its row is missing. */
  public Optional<StoredEdge> edge() {
    try (RowCursor<StoredEdge> edges =
        rows(
            "SELECT size, hashes FROM journal_edge WHERE one = 1",
            row -> new StoredEdge(row.getLong(1), row.getBytes(2)))) {
      return Optional.ofNullable(edges.next());
    }
  }

  /** The checkpoints in the database, by ascending number. */
  public RowCursor<StoredCheckpoint> checkpoints() {
    return rows(
        "SELECT number, size, note, hashes FROM journal_checkpoint ORDER BY number",
        StoredCheckpoint::of);
  }

  private <T> RowCursor<T> rows(String sql, RowReader<T> reader, String... parameters) {
    try {
      PreparedStatement select = connection.prepareStatement(sql);
      select.setFetchSize(PAGE);
      for (int i = 0; i < parameters.length; i++) {
        select.setString(i + 1, parameters[i]);
      }
      return new Rows<>(select, select.executeQuery(), reader);
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new JournalUnreadable(e);
    } finally {
      atEnd.run();
    }
  }

  /** Reads rows by ranges of positions, so that no engine holds a whole journal in memory. */
  private final class Pages implements RowCursor<Entry> {
    private final ArrayDeque<Entry> page = new ArrayDeque<>();
    private long after = Long.MIN_VALUE;
    private boolean ended;

    @Override
    public @Nullable Entry next() {
      if (page.isEmpty() && !ended) {
        fetch();
      }
      return page.poll();
    }

    private void fetch() {
      try {
        List<Entry> read =
            EntryReader.read(
                connection, new RowSelection.Everything(), after, Long.MAX_VALUE, PAGE);
        page.addAll(read);
        ended = read.size() < PAGE;
        after = read.isEmpty() ? after : read.getLast().position();
      } catch (SQLException e) {
        throw new JournalUnreadable(e);
      }
    }

    @Override
    public void close() {
      page.clear();
      ended = true;
    }
  }

  private record Rows<T>(PreparedStatement select, ResultSet rows, RowReader<T> reader)
      implements RowCursor<T> {
    @Override
    public @Nullable T next() {
      try {
        return rows.next() ? reader.of(rows) : null;
      } catch (SQLException e) {
        throw new JournalUnreadable(e);
      }
    }

    @Override
    public void close() {
      try {
        select.close();
      } catch (SQLException e) {
        throw new JournalUnreadable(e);
      }
    }
  }
}
