package gatebook.query.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The rows of a table that have a time, the latest first; rows of the same time are in the opposite
 * order of their keys. The cursor of a page is the key of the row before it.
 *
 * @param at the column with the time; rows without a time are left out
 * @param key a column with a number that no other row has
 */
public record NewestFirst(String table, String at, String key) {

  /** The columns of the index that has this order. The first time is then read at its end. */
  public String index() {
    return "%s DESC NULLS FIRST, %s DESC".formatted(at, key);
  }

  /** The table in SQL, to be read by that index. */
  public String byTime() {
    return "%s USE INDEX (%s)".formatted(table, ViewTable.indexName(table, index()));
  }

  /** The table in SQL, to be read without an index, in no order of time. */
  public String unordered() {
    return "%s USE INDEX ()".formatted(table);
  }

  /**
   * A page of rows.
   *
   * @param next the cursor of the next page; empty on the last page
   */
  public record RowPage<T>(List<T> rows, OptionalLong next) {
    public RowPage {
      rows = List.copyOf(rows);
    }
  }

  /** Reads a row. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T of(ResultSet row) throws SQLException;
  }

  /**
   * The rows that a page has of a table.
   *
   * @param columns those to read, as SQL lists them
   */
  public record Selected(NewestFirst rows, String columns, RowFilter rowFilter) {}

  private record Read<T>(T value, long at, long key) {}

  /**
   * Reads a page.
   *
   * @param tables in which no two rows have the same key
   * @param after the cursor; the first page when empty
   */
  public static <T> RowPage<T> page(
      Connection view, List<Selected> tables, OptionalLong after, int limit, RowMapper<T> rowMapper)
      throws SQLException {
    OptionalLong time = OptionalLong.empty();
    for (Selected table : tables) {
      if (after.isPresent() && time.isEmpty()) {
        time = table.rows.timeOf(view, after.getAsLong());
      }
    }
    List<Read<T>> read = new ArrayList<>();
    if (after.isEmpty() || time.isPresent()) {
      for (Selected table : tables) {
        table.rows.read(view, table, time, after, limit + 1, rowMapper, read);
      }
    }
    read.sort(Comparator.<Read<T>>comparingLong(Read::at).thenComparingLong(Read::key).reversed());
    List<Read<T>> page = read.subList(0, Math.min(limit, read.size()));
    return new RowPage<>(
        page.stream().map(Read::value).toList(),
        read.size() > limit ? OptionalLong.of(page.getLast().key) : OptionalLong.empty());
  }

  private <T> void read(
      Connection view,
      Selected selected,
      OptionalLong time,
      OptionalLong after,
      int limit,
      RowMapper<T> rowMapper,
      List<Read<T>> to)
      throws SQLException {
    RowFilter older = new RowFilter();
    older.and(at + " <= ?", time.orElse(Long.MAX_VALUE)); // begins behind the rows without a time
    if (after.isPresent()) {
      older.and("(%s < ? OR %s < ?)".formatted(at, key), time.getAsLong(), after.getAsLong());
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, %s AS page_at, %s AS page_key FROM %s WHERE TRUE%s%s ORDER BY %s LIMIT ?"
                .formatted(
                    selected.columns,
                    at,
                    key,
                    byTime(),
                    selected.rowFilter.sql(),
                    older.sql(),
                    index()))) {
      select.setInt(older.set(select, selected.rowFilter.set(select, 1)), limit);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          to.add(new Read<>(rowMapper.of(row), row.getLong("page_at"), row.getLong("page_key")));
        }
      }
    }
  }

  private OptionalLong timeOf(Connection view, long rowKey) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE %s = ? AND %s IS NOT NULL".formatted(at, table, key, at))) {
      select.setLong(1, rowKey);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }
}
