package gatebook.events.journal.postgres;

import gatebook.events.journal.segment.file.Segments;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.storage.EntrySelection;
import gatebook.events.journal.tree.LeafHasher;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads stored entries from their rows, and those without a row from the archive.
 *
 * <p>Rows are read first, and then what the archive has: a partition goes only when the archive has
 * all of its events, so that what is seen in neither was not there.
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
          + " ORDER BY a.first LIMIT 1";

  private static final String LEAVES =
      "SELECT first, substring(leaves FROM ? FOR ?) FROM journal_archive WHERE first = ?";

  List<Entry> read(RowAccess rows, EntrySelection entrySelection, long after, long upTo, int limit)
      throws SQLException, IOException {
    return switch (entrySelection) {
      case EntrySelection.Everything _ -> range(rows, after, upTo, limit);
      case EntrySelection.Tagged tagged ->
          at(rows, rows.read(it -> EntryReader.positions(it, tagged.tags(), after, upTo, limit)));
    };
  }

  private List<Entry> range(RowAccess rows, long after, long upTo, int limit)
      throws SQLException, IOException {
    List<Entry> found = rows.read(it -> EntryReader.range(it, after, upTo, limit));
    long to = found.size() == limit ? found.getLast().position() : upTo;
    if (isWhole(found, after, to)) {
      return found;
    }
    TreeMap<Long, Entry> all = new TreeMap<>();
    found.forEach(entry -> all.put(entry.position(), entry));
    long from = after;
    ArchivedRange range = next(rows, from, to);
    while (range != null && all.headMap(range.first()).size() < limit) {
      long begin = Math.max(from, range.first() - 1);
      long end = Math.min(range.last(), to);
      if (all.subMap(begin + 1, true, end, true).isEmpty()) {
        archived(range, begin, end, limit).forEach(entry -> all.put(entry.position(), entry));
      }
      from = range.last();
      range = next(rows, from, to);
    }
    return all.values().stream().limit(limit).toList();
  }

  private static boolean isWhole(List<Entry> found, long after, long upTo) {
    return !found.isEmpty() && found.getLast().position() == upTo && upTo - after == found.size();
  }

  private List<Entry> archived(ArchivedRange range, long after, long upTo, int limit)
      throws IOException {
    return archived.use(
        range, segments -> segments.read(new EntrySelection.Everything(), after, upTo, limit));
  }

  private List<Entry> at(RowAccess rows, Long[] positions) throws SQLException, IOException {
    List<Entry> found = rows.read(it -> EntryReader.at(it, positions));
    if (found.size() == positions.length) {
      return found;
    }
    TreeMap<Long, Entry> all = new TreeMap<>();
    found.forEach(entry -> all.put(entry.position(), entry));
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
      if (range.first() <= position) {
        archived(range, position - 1, position, 1)
            .forEach(entry -> all.put(entry.position(), entry));
      }
    }
    return List.copyOf(all.values());
  }

  /** The first range with events after a position up to another one; null when there is none. */
  static @Nullable ArchivedRange next(RowAccess rows, long after, long upTo) throws SQLException {
    return rows.read(it -> find(it, NEXT, after, upTo)).orElse(null);
  }

  private static Optional<ArchivedRange> find(
      Connection connection, String sql, long one, Object other) throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, one);
      select.setObject(2, other);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(ArchivedRange.of(row)) : Optional.empty();
      }
    }
  }

  /** Whether an event has no row, and the archive has it. */
  static boolean isArchived(Connection connection, long position) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT 1 FROM journal_archive WHERE first <= ? AND last >= ?)"
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
   * of archived events are in the database, too. A position without an event has the leaf of a
   * missing one.
   */
  static List<byte[]> leaves(Connection connection, long after, long upTo) throws SQLException {
    byte[][] leaves = new byte[Math.toIntExact(upTo - after)][];
    boolean isWhole = EntryReader.addLeaves(connection, after, upTo, leaves);
    if (!isWhole) {
      RowAccess rows = new RowAccess.Single(connection);
      long from = after;
      for (ArchivedRange range = next(rows, from, upTo);
          range != null;
          range = next(rows, from, upTo)) {
        addArchived(connection, range, after, leaves);
        from = range.last();
      }
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
    Optional<Long> inRows = rows.read(it -> EntryReader.firstAt(it, at));
    long before = inRows.orElse(Long.MAX_VALUE);
    ArchivedRange range = rows.read(it -> find(it, NEWER, 0, at)).orElse(null);
    while (range != null && range.first() < before) {
      Optional<Long> found = archived.use(range, segments -> segments.firstAt(at));
      if (found.isPresent()) {
        return Optional.of(Math.min(before, found.get()));
      }
      long after = range.first();
      range = rows.read(it -> find(it, NEWER, after, at)).orElse(null);
    }
    return inRows;
  }

  /** The nodes of the events after a position with the time of the newest of each, newest first. */
  SequencedMap<String, String> nodesAfter(RowAccess rows, long after, int limit)
      throws SQLException, IOException {
    SequencedMap<String, String> inRows = rows.read(it -> EntryReader.nodesAfter(it, after, limit));
    long firstRow = rows.read(it -> EntryReader.firstAfter(it, after));
    Map<String, String> newest = new LinkedHashMap<>(inRows);
    long from = after;
    for (ArchivedRange range = next(rows, from, firstRow - 1);
        range != null;
        range = next(rows, from, firstRow - 1)) {
      archived
          .use(range, (Segments segments) -> segments.nodesAfter(after, limit))
          .forEach((node, at) ->
              newest.merge(node, at, (one, other) -> one.compareTo(other) < 0 ? other : one));
      from = range.last();
    }
    return newest.size() == inRows.size() ? inRows : Segments.newestFirst(newest, limit);
  }
}
