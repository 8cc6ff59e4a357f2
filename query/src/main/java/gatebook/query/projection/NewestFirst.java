package gatebook.query.projection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads a table page by page, the rows with the latest times first; rows of the same time are in
 * the opposite order of their keys. The cursor of a page is the key of the row before it.
 *
 * @param key a column with a number that no other row has
 * @param columns those to read, as SQL lists them
 */
public record NewestFirst(String table, String key, String columns) {

  /** The columns of an index that has the order of the pages. */
  public static String order(String key) {
    return "at DESC, %s DESC".formatted(key);
  }

  /** The columns of an index that has the order of the rows with the same value in a column. */
  public static String orderOf(String column, String key) {
    return column + ", " + order(key);
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

  /**
   * The rows to read.
   *
   * @param index the columns of the index to read by: {@link #order}, {@link #orderOf} a column for
   *     which the filter has a value, or others, for few rows, which then are sorted
   * @param after the cursor; the first page when empty
   */
  public record Selection(String index, RowFilter rowFilter, OptionalLong after, int limit) {}

  /** Reads a row. */
  @FunctionalInterface
  public interface RowMapper<T> {
    T of(ResultSet row) throws SQLException;
  }

  public <T> RowPage<T> page(Connection view, Selection selection, RowMapper<T> rowMapper)
      throws SQLException {
    RowFilter older = new RowFilter();
    if (selection.after.isPresent()) {
      OptionalLong at = timeOf(view, selection.after.getAsLong());
      if (at.isEmpty()) {
        return new RowPage<>(List.of(), OptionalLong.empty());
      }
      older
          .and("at <= ?", at.getAsLong())
          .and("(at < ? OR %s < ?)".formatted(key), at.getAsLong(), selection.after.getAsLong());
    }
    try (PreparedStatement select = view.prepareStatement(sql(selection, older))) {
      int limitAt = older.set(select, selection.rowFilter.set(select, 1));
      select.setInt(limitAt, selection.limit + 1);
      return page(select, selection.limit, rowMapper);
    }
  }

  /**
   * A whole number about all rows that a filter selects.
   *
   * @param aggregate an aggregate function in SQL; null is read as 0
   */
  public long total(Connection view, String aggregate, RowFilter rowFilter) throws SQLException {
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s FROM %s WHERE TRUE%s".formatted(aggregate, table, rowFilter.sql()))) {
      int _ = rowFilter.set(select, 1);
      try (ResultSet row = select.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private String sql(Selection selection, RowFilter older) {
    return "SELECT %s, %s AS page_key FROM %s USE INDEX (%s) WHERE TRUE%s%s ORDER BY %s LIMIT ?"
        .formatted(
            columns,
            key,
            table,
            ViewTable.indexName(table, selection.index),
            selection.rowFilter.sql(),
            older.sql(),
            selection.index.endsWith(order(key)) ? selection.index : order(key));
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
        view.prepareStatement("SELECT at FROM %s WHERE %s = ?".formatted(table, key))) {
      select.setLong(1, rowKey);
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? OptionalLong.of(row.getLong(1)) : OptionalLong.empty();
      }
    }
  }
}
