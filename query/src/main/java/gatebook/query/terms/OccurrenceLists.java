package gatebook.query.terms;

import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * The stored lists of an index: a row for each list, and one for each chunk of a list that is not
 * small.
 */
final class OccurrenceLists {
  private static final int CHUNK_BYTES = 16 * 1024;

  /** The number of a chunk is that of its list, and in these bits its own. */
  private static final int CHUNK_BITS = 20;

  /** The number of lists of about the same size that are merged into one. */
  private static final int SIMILAR_MAX = 8;

  /** The number of occurrences from which on a list is not merged. */
  static final int LARGE = 1 << 16;

  /** No more lists than these are not large: there are six sizes. */
  private static final int LATEST = 64;

  private final Connection view;
  private final String table;
  private final int termBytes;
  private final int perChunk;

  OccurrenceLists(Connection view, String table, int termBytes) {
    this.view = view;
    this.table = table;
    this.termBytes = termBytes;
    this.perChunk = CHUNK_BYTES / (termBytes + Long.BYTES);
  }

  /** The statements that create the tables. */
  static List<String> statements(String table) {
    return List.of(
        "CREATE TABLE %s (number BIGINT PRIMARY KEY, occurrences INT NOT NULL, lowest BIGINT NOT NULL, highest BIGINT NOT NULL, content VARBINARY NOT NULL)"
            .formatted(table),
        "CREATE TABLE %s_chunks (number BIGINT PRIMARY KEY, content VARBINARY NOT NULL)"
            .formatted(table));
  }

  /** Adds occurrences as one list, together with the latest lists when there are many. */
  void add(Occurrences added) throws SQLException {
    List<StoredList> earlier = latest();
    long number = earlier.isEmpty() ? 1 : earlier.getFirst().number() + 1;
    Occurrences all = added;
    int merged = merged(all, earlier);
    while (merged > 0) {
      all = merge(all, earlier.subList(0, merged));
      earlier = earlier.subList(merged, earlier.size());
      merged = merged(all, earlier);
    }
    insert(number, all);
  }

  /** How many of the earlier lists become one with a new one. */
  private static int merged(Occurrences added, List<StoredList> earlier) {
    int[] similar = new int[Integer.SIZE];
    similar[size(added.count())]++;
    int merged = 0;
    for (int i = 0; i < earlier.size() && earlier.get(i).count() < LARGE; i++) {
      if (++similar[size(earlier.get(i).count())] >= SIMILAR_MAX) {
        merged = i + 1;
      }
    }
    return added.count() < LARGE ? merged : 0;
  }

  /** The number of octal digits. */
  private static int size(int count) {
    return Math.ceilDiv(Integer.SIZE - Integer.numberOfLeadingZeros(count), 3);
  }

  private Occurrences merge(Occurrences added, List<StoredList> lists) throws SQLException {
    List<Occurrences> all = new ArrayList<>(List.of(added));
    for (StoredList list : lists) {
      all.add(occurrences(list));
      delete(list);
    }
    return Occurrences.union(all);
  }

  /** The latest lists, the latest first. */
  private List<StoredList> latest() throws SQLException {
    return select(" LIMIT " + LATEST);
  }

  /** All lists, the latest first. */
  List<StoredList> all() throws SQLException {
    return select("");
  }

  private List<StoredList> select(String limit) throws SQLException {
    List<StoredList> lists = new ArrayList<>();
    try (PreparedStatement select =
            view.prepareStatement(
                "SELECT number, occurrences, lowest, highest FROM %s ORDER BY number DESC%s"
                    .formatted(table, limit));
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        int count = row.getInt(2);
        lists.add(
            new StoredList(
                row.getLong(1), count, row.getLong(3), row.getLong(4), count > perChunk));
      }
    }
    return lists;
  }

  /**
   * Removes the occurrences at some places. It reads the lists that have places in the range; what
   * is left of those that are no longer large becomes one list.
   *
   * @param lowest no place before it is removed
   * @param highest no place after it is removed
   */
  void remove(long lowest, long highest, LongPredicate removed) throws SQLException {
    List<Occurrences> rest = new ArrayList<>();
    long number = 0;
    for (StoredList list : all()) {
      if (list.lowest() <= highest && list.highest() >= lowest) {
        Occurrences left = occurrences(list).without(removed);
        if (left.count() < list.count()) {
          delete(list);
          if (left.count() >= LARGE) {
            insert(list.number(), left);
          } else if (left.count() > 0) {
            rest.add(left);
            number = list.number();
          }
        }
      }
    }
    if (!rest.isEmpty()) {
      insert(number, Occurrences.union(rest));
    }
  }

  Occurrences occurrences(StoredList list) throws SQLException {
    ByteBuffer all = ByteBuffer.allocate(list.count() * (termBytes + Long.BYTES));
    if (list.hasChunks()) {
      read(
          "SELECT content FROM %s_chunks WHERE number >= ? AND number < ? ORDER BY number",
          chunk(list.number(), 0), chunk(list.number() + 1, 0), all);
    } else {
      read(
          "SELECT content FROM %s WHERE number >= ? AND number < ?",
          list.number(), list.number() + 1, all);
    }
    return new Occurrences(termBytes, all.array());
  }

  private void read(String sql, long from, long to, ByteBuffer into) throws SQLException {
    try (PreparedStatement select = view.prepareStatement(sql.formatted(table))) {
      select.setLong(1, from);
      select.setLong(2, to);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          into.put(row.getBytes(1));
        }
      }
    }
  }

  /** Selects the row of a list by its number. */
  PreparedStatement selectContent() throws SQLException {
    return view.prepareStatement("SELECT content FROM %s WHERE number = ?".formatted(table));
  }

  /** Selects a chunk by its number. */
  PreparedStatement selectChunk() throws SQLException {
    return view.prepareStatement("SELECT content FROM %s_chunks WHERE number = ?".formatted(table));
  }

  /** The number of a chunk of a list. */
  static long chunk(long list, int index) {
    return (list << CHUNK_BITS) + index;
  }

  void insert(long number, Occurrences occurrences) throws SQLException {
    boolean hasChunks = occurrences.count() > perChunk;
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO %s VALUES (?, ?, ?, ?, ?)".formatted(table))) {
      insert.setLong(1, number);
      insert.setInt(2, occurrences.count());
      insert.setLong(3, occurrences.lowestPlace());
      insert.setLong(4, occurrences.highestPlace());
      insert.setBytes(5, (hasChunks ? occurrences.firstOfParts(perChunk) : occurrences).bytes());
      int _ = insert.executeUpdate();
    }
    if (hasChunks) {
      insertChunks(number, occurrences);
    }
  }

  private void insertChunks(long number, Occurrences occurrences) throws SQLException {
    try (PreparedStatement insert =
        view.prepareStatement("INSERT INTO %s_chunks VALUES (?, ?)".formatted(table))) {
      for (int from = 0; from < occurrences.count(); from += perChunk) {
        int to = Math.min(from + perChunk, occurrences.count());
        insert.setLong(1, chunk(number, from / perChunk));
        insert.setBytes(2, occurrences.part(from, to).bytes());
        insert.addBatch();
      }
      int[] _ = insert.executeBatch();
    }
  }

  private void delete(StoredList list) throws SQLException {
    delete(table, list.number(), list.number() + 1);
    if (list.hasChunks()) {
      delete(table + "_chunks", chunk(list.number(), 0), chunk(list.number() + 1, 0));
    }
  }

  private void delete(String from, long number, long end) throws SQLException {
    try (PreparedStatement delete =
        view.prepareStatement("DELETE FROM %s WHERE number >= ? AND number < ?".formatted(from))) {
      delete.setLong(1, number);
      delete.setLong(2, end);
      int _ = delete.executeUpdate();
    }
  }
}
