package gatebook.query.counts;

import gatebook.query.projection.RowFilter;
import gatebook.query.trend.TimeSpan;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads pages of counted rows, newest first: that is the opposite order of their places. The cursor
 * of a page is the place of the row before it.
 */
public final class NewestFirst<T> {
  private final Connection view;
  private final long before;
  private final int limit;
  private final RowMapper<T> rowMapper;
  private final List<Read<T>> read = new ArrayList<>();

  private record Read<T>(T value, long place) {}

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
  public record Selected(CountTable table, TimeSpan span, String columns, RowFilter rowFilter) {}

  private NewestFirst(Connection view, long before, int limit, RowMapper<T> rowMapper) {
    this.view = view;
    this.before = before;
    this.limit = limit;
    this.rowMapper = rowMapper;
  }

  /**
   * Reads a page.
   *
   * @param tables in which no two rows have the same place
   * @param after the cursor; the first page when empty
   */
  public static <T> RowPage<T> page(
      Connection view, List<Selected> tables, OptionalLong after, int limit, RowMapper<T> rowMapper)
      throws SQLException {
    NewestFirst<T> reader = new NewestFirst<>(view, after.orElse(Long.MAX_VALUE), limit, rowMapper);
    for (Selected table : tables) {
      reader.read(table);
    }
    return reader.page();
  }

  private RowPage<T> page() {
    read.sort(Comparator.<Read<T>>comparingLong(Read::place).reversed());
    List<Read<T>> page = read.subList(0, Math.min(limit, read.size()));
    return new RowPage<>(
        page.stream().map(Read::value).toList(),
        read.size() > limit ? OptionalLong.of(page.getLast().place) : OptionalLong.empty());
  }

  /** Reads as many rows of a table as a page may have, and one more. */
  private void read(Selected selected) throws SQLException {
    CountTable table = selected.table;
    try (PreparedStatement select =
        view.prepareStatement(
            "SELECT %s, place AS page_place FROM %s WHERE %s%s ORDER BY place DESC LIMIT ?"
                .formatted(
                    selected.columns, table.rows(), table.isIn(), selected.rowFilter.sql()))) {
      PlaceFinder placeFinder = new PlaceFinder(view, table, selected.span).byHours(before);
      int left = limit + 1;
      Optional<PlaceRange> range = placeFinder.next();
      while (range.isPresent()) {
        left = read(select, selected, range.get(), left);
        range = left > 0 ? placeFinder.next() : Optional.empty();
      }
    }
  }

  /** Reads the rows in a range, the last of them first. Returns how many are left to be read. */
  private int read(PreparedStatement select, Selected selected, PlaceRange range, int limited)
      throws SQLException {
    PlaceRange places = new PlaceRange(range.first(), Math.min(range.last(), before - 1));
    int next = CountTable.setIn(select, 1, selected.span, places);
    select.setInt(selected.rowFilter.set(select, next), limited);
    int left = limited;
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        read.add(new Read<>(rowMapper.of(row), row.getLong("page_place")));
        left--;
      }
    }
    return left;
  }
}
