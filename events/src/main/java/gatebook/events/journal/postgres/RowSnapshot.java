package gatebook.events.journal.postgres;

import gatebook.events.journal.TrustEvents;
import gatebook.events.journal.storage.DamagedFile;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.storage.JournalSnapshot;
import gatebook.events.journal.storage.JournalSnapshot.IndexedTag;
import gatebook.events.journal.storage.JournalSnapshot.StoredEdge;
import gatebook.events.journal.storage.JournalUnreadable;
import gatebook.events.journal.storage.RowCursor;
import gatebook.events.journal.storage.SnapshotReading;
import gatebook.events.journal.storage.StorageFailure;
import gatebook.events.journal.storage.StorageSnapshot;
import gatebook.events.journal.storage.StoredCheckpoint;
import gatebook.events.journal.storage.TagText;
import gatebook.events.journal.storage.WholeReading;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the rows of a journal, read in one transaction, and of what the archive has of it.
 *
 * <p>Its transaction locks the tables before it sees anything: no partition of which it sees the
 * rows is removed until it ends, nor anything from the archive.
 */
final class RowSnapshot implements StorageSnapshot {
  private static final int PAGE = 1_000;

  /** Of a row {@code k}. */
  private static final String IN_ARCHIVE =
      "EXISTS (SELECT 1 FROM journal_archive a WHERE a.dropped_from IS NULL"
          + " AND k.position BETWEEN a.first AND a.last)";

  private final Connection connection;
  private final ArchivedRows archived;

  private RowSnapshot(Connection connection, ArchivedRows archived) {
    this.connection = connection;
    this.archived = archived;
  }

  static RowSnapshot of(PostgresDatabase database, ArchivedRows archived) throws SQLException {
    Connection connection = database.connect();
    try (Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("LOCK TABLE journal, journal_archive IN ACCESS SHARE MODE");
      return new RowSnapshot(connection, archived);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public RowCursor<Entry> events() {
    StoredEntries reader = new StoredEntries(archived);
    RowAccess rows = new RowAccess.Single(connection);
    return pages(
        Long.MIN_VALUE,
        after -> reader.read(rows, new EntrySelection.Everything(), after, Long.MAX_VALUE, PAGE));
  }

  /** The entries of the rows from one position to another. */
  RowCursor<Entry> rows(long after, long upTo) {
    return pages(after, from -> page(from, upTo));
  }

  private List<Entry> page(long after, long upTo) throws SQLException {
    List<Entry> rows = EntryReader.JOURNAL.range(connection, after, upTo, PAGE);
    long to = rows.size() == PAGE ? rows.getLast().position() : upTo;
    List<Entry> kept = EntryReader.KEPT.range(connection, after, to, PAGE);
    if (kept.isEmpty()) {
      return rows;
    }
    SortedMap<Long, Entry> all = new TreeMap<>();
    kept.forEach(entry -> all.put(entry.position(), entry));
    rows.forEach(entry -> all.put(entry.position(), entry));
    return all.values().stream().limit(PAGE).toList();
  }

  /** The rows after one position up to another that should have been removed with their range. */
  List<Entry> leftRows(long after, long upTo) throws SQLException {
    return EntryReader.JOURNAL.range(connection, after, upTo, PAGE);
  }

  /** What is kept after one position up to another. */
  List<Entry> keptRows(long after, long upTo) throws SQLException {
    return EntryReader.KEPT.range(connection, after, upTo, PAGE);
  }

  /** The events that may have a tag, as the index says. */
  List<Entry> tagged(Tag tag, int limit) {
    try {
      return new StoredEntries(archived)
          .read(
              new RowAccess.Single(connection),
              new EntrySelection.Tagged(Set.of(TagText.write(Set.of(tag)))),
              0,
              Long.MAX_VALUE,
              limit);
    } catch (SQLException e) {
      throw unreadable(e);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  @Override
  public SnapshotReading read(SnapshotReading.Order order) {
    try {
      List<ArchivedRange> ranges = archivedRanges();
      return ranges.isEmpty()
          ? new WholeReading(this, this::trustEvents, this::ids)
          : RangedReading.of(this, archived, ranges, order);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  /** The ranges without rows, and those whose rows are about to go since they are dropped. */
  private List<ArchivedRange> archivedRanges() throws SQLException {
    List<ArchivedRange> ranges = new ArrayList<>();
    try (RowCursor<ArchivedRange> found =
        rows(
            "SELECT "
                + ArchivedRange.COLUMNS
                + " FROM journal_archive a WHERE a.dropped_from IS NOT NULL OR NOT EXISTS (SELECT 1"
                + " FROM journal j WHERE j.position BETWEEN a.first AND a.last) ORDER BY a.first",
            ArchivedRange::of)) {
      for (ArchivedRange range = found.next(); range != null; range = found.next()) {
        ranges.add(range);
      }
    }
    return ranges;
  }

  /** The rows that are kept of events that are in the archive, and should not be there. */
  Optional<DamagedFile> surplusKept() throws SQLException {
    return RowsCursor.first(
        connection,
        "SELECT k.position FROM journal_kept k WHERE "
            + IN_ARCHIVE
            + " ORDER BY k.position LIMIT 1",
        row ->
            new DamagedFile(
                "journal_kept",
                "this table has rows of events that are in the archive",
                row.getLong(1),
                Long.MAX_VALUE));
  }

  /** A row that is kept of an event in the archive is not trusted. */
  RowCursor<Entry> trustEvents() {
    return rows(
        "SELECT DISTINCT ON (position) position, id, name, version, at, node, tags, payload,"
            + " metadata, leaf FROM (SELECT * FROM journal UNION ALL SELECT * FROM journal_kept k"
            + " WHERE NOT "
            + IN_ARCHIVE
            + ") AS j"
            + " WHERE name = ANY (string_to_array(?, ',')) ORDER BY position",
        EntryReader::entry,
        String.join(",", TrustEvents.NAMES));
  }

  RowCursor<JournalSnapshot.Id> ids() {
    return rows(
        "SELECT id, position FROM journal UNION ALL SELECT id, position FROM journal_kept"
            + " ORDER BY id, position",
        row -> new JournalSnapshot.Id(row.getString(1), row.getLong(2)));
  }

  @Override
  public RowCursor<IndexedTag> tagIndex() {
    return rows(
        "SELECT tag, position, last FROM journal_tag ORDER BY position, tag",
        row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)));
  }

  /** The lines of events from one position to another. */
  RowCursor<IndexedTag> tagIndex(long first, long last) {
    return rows(
        "SELECT tag, position, last FROM journal_tag WHERE last >= ? AND position <= ?"
            + " ORDER BY position, tag",
        row -> new IndexedTag(row.getString(1), row.getLong(2), row.getLong(3)),
        first,
        last);
  }

  /** The same, cut where the range begins and ends. */
  RowCursor<IndexedTag> linesIn(long first, long last) {
    return new TagLines(tagIndex(first, last)).in(first, last);
  }

  /** The leaves as they are stored, also of events without a row. */
  List<byte[]> leaves(long after, long upTo) throws SQLException {
    return StoredEntries.leaves(connection, after, upTo);
  }

  @Override
  public Optional<StoredEdge> edge() {
    try (RowCursor<StoredEdge> edges =
        rows(
            "SELECT size, hashes FROM journal_edge WHERE one = 1",
            row -> new StoredEdge(row.getLong(1), row.getBytes(2)))) {
      return Optional.ofNullable(edges.next());
    }
  }

  @Override
  public RowCursor<StoredCheckpoint> checkpoints() {
    return checkpoints(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  /** The checkpoints over the events up to one of these. */
  RowCursor<StoredCheckpoint> checkpoints(long first, long last) {
    return rows(
        "SELECT number, size, note, hashes FROM journal_checkpoint"
            + " WHERE size >= ? AND size <= ? ORDER BY number",
        CheckpointReader::of,
        first,
        last);
  }

  private <T> RowCursor<T> rows(String sql, RowsCursor.Reader<T> reader, Object... parameters) {
    try {
      return RowsCursor.of(connection, sql, reader, parameters);
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw unreadable(e);
    }
  }

  static JournalUnreadable unreadable(SQLException e) {
    return new JournalUnreadable(RowStorage.failure(e));
  }

  static JournalUnreadable unreadable(IOException e) {
    return new JournalUnreadable(new StorageFailure(StorageFailure.describe(e), e));
  }

  /** Reads a page of the entries after a position. */
  @FunctionalInterface
  interface PageReader {
    List<Entry> after(long position) throws SQLException, IOException;
  }

  /** Reads page by page, so that a whole journal is not in memory. */
  static RowCursor<Entry> pages(long after, PageReader reader) {
    return new Pages(after, reader);
  }

  private static final class Pages implements RowCursor<Entry> {
    private final ArrayDeque<Entry> page = new ArrayDeque<>();
    private final PageReader reader;
    private long after;
    private boolean ended;

    Pages(long after, PageReader reader) {
      this.after = after;
      this.reader = reader;
    }

    @Override
    public @Nullable Entry next() {
      if (page.isEmpty() && !ended) {
        fetch();
      }
      return page.poll();
    }

    private void fetch() {
      try {
        List<Entry> read = reader.after(after);
        page.addAll(read);
        ended = read.isEmpty();
        after = read.isEmpty() ? after : read.getLast().position();
      } catch (SQLException e) {
        throw unreadable(e);
      } catch (IOException e) {
        throw unreadable(e);
      }
    }

    @Override
    public void close() {
      page.clear();
      ended = true;
    }
  }
}
