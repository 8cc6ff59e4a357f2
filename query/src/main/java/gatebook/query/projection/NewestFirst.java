package gatebook.query.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
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
   * Reads a page.
   *
   * @param columns those to read, as SQL lists them
   * @param after the cursor; the first page when empty
   */
  public <T> RowPage<T> page(
      Connection view,
      String columns,
      RowFilter rowFilter,
      OptionalLong after,
      int limit,
      RowMapper<T> rowMapper)
      throws SQLException {
    RowFilter older = new RowFilter();
    if (after.isPresent()) {
      OptionalLong time = timeOf(view, after.getAsLong());
      if (time.isEmpty()) {
        return new RowPage<>(List.of(), OptionalLong.empty());
      }
      older
          .and(at + " <= ?", time.getAsLong())
          .and("(%s < ? OR %s < ?)".formatted(at, key), time.getAsLong(), after.getAsLong());
    } else {
      older.and(at + " <= ?", Long.MAX_VALUE); // begins behind the rows without a time
    }
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, %s AS page_key FROM %s WHERE TRUE%s%s ORDER BY %s LIMIT ?"
                .formatted(columns, key, byTime(), rowFilter.sql(), older.sql(), index()))) {
      select.setInt(older.set(select, rowFilter.set(select, 1)), limit + 1);
      return page(select, limit, rowMapper);
    }
  }

  private static <T> RowPage<T> page(PreparedStatement select, int limit, RowMapper<T> rowMapper)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    long last = 0;
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        if (rows.size() == limit) {
          return new RowPage<>(rows, OptionalLong.of(last));
        }
        rows.add(rowMapper.of(row));
        last = row.getLong("page_key");
      }
    }
    return new RowPage<>(rows, OptionalLong.empty());
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
