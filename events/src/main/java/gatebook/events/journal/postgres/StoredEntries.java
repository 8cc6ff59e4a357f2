package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.DroppedThrough;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads stored entries from their rows, and those without a row from the archive, or from the rows
 * that were kept when the others of their range were dropped for good.
 *
 * <p>Rows are read first, then what the archive has, and then what is kept. What goes from one to
 * the next is there before it leaves, so that what is seen in none of them was not there, or is
 * dropped.
 */
record StoredEntries(ArchivedRows archived) {
  private static final String NEXT =
      "SELECT "
          + ArchivedRange.COLUMNS
          + " FROM journal_archive a WHERE a.last > ? AND a.first <= ? ORDER BY a.first LIMIT 1";

  private static final String NEWER =
      "SELECT "
          + ArchivedRange.COLUMNS
          + " FROM journal_archive a WHERE a.first > ? AND a.newest_at >= ?"
          + " AND a.dropped_from IS NULL ORDER BY a.first LIMIT 1";

  private static final String DROPPED =
      "SELECT a.last, a.newest_at FROM journal_archive a WHERE a.dropped_from IS NOT NULL"
          + " ORDER BY a.first DESC LIMIT 1";

  private static final String LEAVES =
      "SELECT first, substring(leaves FROM ? FOR ?) FROM journal_archive WHERE first = ?";

  List<Entry> read(RowAccess rows, EntrySelection entrySelection, long after, long upTo, int limit)
      throws SQLException, IOException {
    return switch (entrySelection) {
      case EntrySelection.Everything _ -> range(rows, after, upTo, limit);
      case EntrySelection.Tagged(var tags) -> tagged(rows, tags, after, upTo, limit);
    };
  }

  private List<Entry> tagged(RowAccess rows, Set<String> tags, long after, long upTo, int limit)
      throws SQLException, IOException {
    Long[] positions = rows.read(it -> EntryReader.positions(it, tags, after, upTo, limit));
    List<Entry> found = at(rows, positions);
    if (found.size() == positions.length) {
      return found;
    }
    // the index lists nothing that is dropped, but some may have been dropped since it was read
    Long[] now = rows.read(it -> EntryReader.positions(it, tags, after, upTo, limit));
    return Arrays.equals(now, positions) ? found : at(rows, now);
  }

  private List<Entry> range(RowAccess rows, long after, long upTo, int limit)
      throws SQLException, IOException {
    List<Entry> found = rows.read(it -> EntryReader.JOURNAL.range(it, after, upTo, limit));
    long to = found.size() == limit ? found.getLast().position() : upTo;
    if (isWhole(found, after, to)) {
      return found;
    }
    SortedMap<Long, Entry> all = byPosition(found);
    long from = after;
    ArchivedRange range = next(rows, from, to);
    while (range != null && all.headMap(range.first()).size() < limit) {
      long begin = Math.max(from, range.first() - 1);
      long end = Math.min(range.last(), to);
      if (!range.isDropped() && all.subMap(begin + 1, end + 1).isEmpty()) {
        archived(rows, range, begin, end, limit).forEach(entry -> all.put(entry.position(), entry));
      }
      from = range.isDropped() ? droppedUpTo(rows) : range.last();
      range = next(rows, from, to);
    }
    rows.read(it -> EntryReader.KEPT.range(it, after, to, limit))
        .forEach(entry -> all.putIfAbsent(entry.position(), entry));
    return all.values().stream().limit(limit).toList();
  }

  private static SortedMap<Long, Entry> byPosition(List<Entry> entries) {
    SortedMap<Long, Entry> all = new TreeMap<>();
    entries.forEach(entry -> all.put(entry.position(), entry));
    return all;
  }

  private static boolean isWhole(List<Entry> found, long after, long upTo) {
    return !found.isEmpty() && found.getLast().position() == upTo && upTo - after == found.size();
  }

  /** Nothing when it was dropped meanwhile. */
  private List<Entry> archived(
      RowAccess rows, ArchivedRange range, long after, long upTo, int limit)
      throws SQLException, IOException {
    return use(
        rows,
        range,
        segments -> segments.read(new EntrySelection.Everything(), after, upTo, limit),
        List.of());
  }

  /** Uses a range that is in the archive, unless it was dropped meanwhile. */
  private <T> T use(RowAccess rows, ArchivedRange range, ArchivedRows.Use<T> use, T ifDropped)
      throws SQLException, IOException {
    try {
      return archived.use(range, use);
    } catch (IOException e) {
      if (range.last() <= droppedUpTo(rows)) {
        return ifDropped;
      }
      throw e;
    }
  }

  private List<Entry> at(RowAccess rows, Long[] positions) throws SQLException, IOException {
    List<Entry> found = rows.read(it -> EntryReader.JOURNAL.at(it, positions));
    if (found.size() == positions.length) {
      return found;
    }
    SortedMap<Long, Entry> all = byPosition(found);
    ArchivedRange range = null;
    for (long position : positions) {
      if (all.containsKey(position)) {
        continue;
      }
      if (range == null || range.last() < position) {
        range = next(rows, position - 1, Long.MAX_VALUE);
      }
      if (range == null) {
        break;
      }
      if (range.first() <= position && !range.isDropped()) {
        archived(rows, range, position - 1, position, 1)
            .forEach(entry -> all.put(entry.position(), entry));
      }
    }
    Long[] left = Stream.of(positions).filter(it -> !all.containsKey(it)).toArray(Long[]::new);
    rows.read(it -> EntryReader.KEPT.at(it, left))
        .forEach(entry -> all.put(entry.position(), entry));
    return List.copyOf(all.values());
  }

  /** The first range with events after a position up to another one; null when there is none. */
  static @Nullable ArchivedRange next(RowAccess rows, long after, long upTo) throws SQLException {
    return rows.read(it -> find(it, NEXT, after, upTo)).orElse(null);
  }

  /** The end of what was dropped for good; empty when nothing was. */
  static Optional<DroppedThrough> droppedThrough(Connection connection) throws SQLException {
    return RowsCursor.first(
        connection,
        DROPPED,
        row -> new DroppedThrough(row.getLong(1), Instant.parse(row.getString(2))));
  }

  /** The last position of what was dropped for good; 0 when nothing was. */
  static long droppedUpTo(RowAccess rows) throws SQLException {
    return rows.read(it -> RowsCursor.first(it, DROPPED, row -> row.getLong(1))).orElse(0L);
  }

  private static Optional<ArchivedRange> find(
      Connection connection, String sql, long one, Object other) throws SQLException {
    return RowsCursor.first(connection, sql, ArchivedRange::of, one, other);
  }

  /** Whether an event has no row, and the archive has it. */
  static boolean isArchived(Connection connection, long position) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT 1 FROM journal_archive WHERE first <= ? AND last >= ?"
                + " AND dropped_from IS NULL)"
                + " AND NOT EXISTS (SELECT 1 FROM journal WHERE position = ?)")) {
      select.setLong(1, position);
      select.setLong(2, position);
      select.setLong(3, position);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /**
   * The leaves at the positions after {@code after} up to {@code upTo}, as they are stored: those
   * of archived and dropped events are in the database, too. A position without an event has the
   * leaf of a missing one.
   */
  static List<byte[]> leaves(Connection connection, long after, long upTo) throws SQLException {
    byte[][] leaves = new byte[Math.toIntExact(upTo - after)][];
    boolean isWhole = EntryReader.JOURNAL.addLeaves(connection, after, upTo, leaves);
    if (!isWhole) {
      RowAccess rows = new RowAccess.Single(connection);
      long from = after;
      for (ArchivedRange range = next(rows, from, upTo);
          range != null;
          range = next(rows, from, upTo)) {
        addArchived(connection, range, after, leaves);
        from = range.last();
      }
      EntryReader.KEPT.addLeaves(connection, after, upTo, leaves);
    }
    LeafHasher hasher = new LeafHasher();
    List<byte[]> all = new ArrayList<>(leaves.length);
    for (int i = 0; i < leaves.length; i++) {
      all.add(leaves[i] == null ? hasher.missing(after + 1 + i) : leaves[i]);
    }
    return all;
  }

  private static void addArchived(
      Connection connection, ArchivedRange range, long after, byte[][] leaves) throws SQLException {
    long from = Math.max(after + 1, range.first());
    long to = Math.min(after + leaves.length, range.last());
    try (PreparedStatement select = connection.prepareStatement(LEAVES)) {
      select.setInt(1, (int) (from - range.first()) * Sha256.BYTES + 1);
      select.setInt(2, (int) (to - from + 1) * Sha256.BYTES);
      select.setLong(3, range.first());
      try (ResultSet row = select.executeQuery()) {
        byte[] stored = row.next() ? row.getBytes(2) : new byte[0];
        for (int i = 0; (i + 1) * Sha256.BYTES <= stored.length; i++) {
          int at = (int) (from - after - 1) + i;
          if (leaves[at] == null) {
            leaves[at] = Arrays.copyOfRange(stored, i * Sha256.BYTES, (i + 1) * Sha256.BYTES);
          }
        }
      }
    }
  }

  Optional<Long> firstAt(RowAccess rows, String at) throws SQLException, IOException {
    Optional<Long> inRows = rows.read(it -> EntryReader.JOURNAL.firstAt(it, at));
    Optional<Long> inArchive = firstInArchive(rows, at, inRows.orElse(Long.MAX_VALUE));
    Optional<Long> kept = rows.read(it -> EntryReader.KEPT.firstAt(it, at));
    return Stream.of(inRows, inArchive, kept).flatMap(Optional::stream).min(Long::compare);
  }

  private Optional<Long> firstInArchive(RowAccess rows, String at, long before)
      throws SQLException, IOException {
    ArchivedRange range = rows.read(it -> find(it, NEWER, 0, at)).orElse(null);
    while (range != null && range.first() < before) {
      Optional<Long> found = use(rows, range, segments -> segments.firstAt(at), Optional.empty());
      if (found.isPresent()) {
        return found;
      }
      long after = range.first();
      range = rows.read(it -> find(it, NEWER, after, at)).orElse(null);
    }
    return Optional.empty();
  }

  /** The nodes of the events after a position with the time of the newest of each, newest first. */
  SequencedMap<String, String> nodesAfter(RowAccess rows, long after, int limit)
      throws SQLException, IOException {
    SequencedMap<String, String> inRows =
        rows.read(it -> EntryReader.JOURNAL.nodesAfter(it, after, limit));
    long firstRow = rows.read(it -> EntryReader.JOURNAL.firstAfter(it, after));
    Map<String, String> newest = new LinkedHashMap<>(inRows);
    long from = after;
    for (ArchivedRange range = next(rows, from, firstRow - 1);
        range != null;
        range = next(rows, from, firstRow - 1)) {
      if (!range.isDropped()) {
        addNewest(
            newest,
            use(rows, range, segments -> segments.nodesAfter(after, limit), new LinkedHashMap<>()));
      }
      from = range.isDropped() ? droppedUpTo(rows) : range.last();
    }
    if (firstRow > after + 1) {
      addNewest(newest, rows.read(it -> EntryReader.KEPT.nodesAfter(it, after, limit)));
    }
    return newest.size() == inRows.size() ? inRows : Segments.newestFirst(newest, limit);
  }

  private static void addNewest(Map<String, String> newest, Map<String, String> more) {
    more.forEach((node, at) ->
        newest.merge(node, at, (one, other) -> one.compareTo(other) < 0 ? other : one));
  }
}
