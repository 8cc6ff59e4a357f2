package gatebook.query.projection;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A filter of rows, as conditions in SQL. A row matches when all of them are true of it. */
public final class RowFilter {
  private final List<Condition> conditions = new ArrayList<>();

  private record Condition(String sql, List<Object> values) {}

  public RowFilter and(String column, ColumnFilter columnFilter) {
    switch (columnFilter) {
      case ColumnFilter.Anything() -> {}
      case ColumnFilter.Nothing() -> and(column + " IS NULL");
      case ColumnFilter.Exactly(var value) -> and(column + " = ?", value);
    }
    return this;
  }

  /** Adds a condition and the values of its parameters. */
  public RowFilter and(String sql, Object... values) {
    conditions.add(new Condition(sql, List.of(values)));
    return this;
  }

  /**
   * Adds that the row's time, in the column {@code at}, is in a time span.
   *
   * @param since the start, which is included
   * @param until the end, which is not
   */
  public RowFilter andIn(Optional<Instant> since, Optional<Instant> until) {
    since.ifPresent(it -> and("at >= ?", EpochNanos.of(it)));
    until.ifPresent(it -> and("at < ?", EpochNanos.of(it)));
    return this;
  }

  /** The conditions, each preceded by {@code AND}, to follow another one. */
  public String sql() {
    StringBuilder sql = new StringBuilder();
    conditions.forEach(condition -> sql.append(" AND ").append(condition.sql));
    return sql.toString();
  }

  /**
   * Sets the parameters of {@link #sql()}, beginning with the number {@code first}; returns the
   * next number.
   */
  public int set(PreparedStatement statement, int first) throws SQLException {
    int parameter = first;
    for (Condition condition : conditions) {
      for (Object value : condition.values) {
        statement.setObject(parameter++, value);
      }
    }
    return parameter;
  }
}
