package gatebook.query.calls;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.query.projection.EpochNanos;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter for calls. A call matches when all conditions are true of it; an empty condition matches
 * every call.
 *
 * @param since received at or after this time
 * @param until received before this time
 */
public record CallFilter(
    Optional<CallStatus> status,
    Optional<Gate> gate,
    Optional<Dialect> dialect,
    Optional<String> method,
    Optional<String> target,
    Optional<String> principal,
    Optional<Integer> code,
    Optional<String> fault,
    Optional<String> correlationId,
    Optional<Instant> since,
    Optional<Instant> until) {

  public static final CallFilter ALL =
      new CallFilter(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty());

  private record Condition(String sql, Object value) {}

  private List<Condition> conditions() {
    List<Condition> all = new ArrayList<>();
    add(all, "status = ?", status.map(CallStatus::word).orElse(null));
    add(all, "gate = ?", gate.map(Gate::word).orElse(null));
    add(all, "dialect = ?", dialect.map(Dialect::word).orElse(null));
    add(all, "method = ?", method.orElse(null));
    add(all, "target = ?", target.orElse(null));
    add(all, "principal = ?", principal.orElse(null));
    add(all, "code = ?", code.orElse(null));
    add(all, "fault = ?", fault.orElse(null));
    add(all, "correlation = ?", correlationId.orElse(null));
    add(all, "at >= ?", since.map(EpochNanos::of).orElse(null));
    add(all, "at < ?", until.map(EpochNanos::of).orElse(null));
    return all;
  }

  private static void add(List<Condition> all, String sql, @Nullable Object value) {
    if (value != null) {
      all.add(new Condition(sql, value));
    }
  }

  /** The conditions in SQL, each preceded by {@code AND}. */
  String sql() {
    StringBuilder sql = new StringBuilder();
    conditions().forEach(condition -> sql.append(" AND ").append(condition.sql));
    return sql.toString();
  }

  /**
   * Sets the parameters of {@link #sql()}, beginning with the number {@code first}; returns the
   * next number.
   */
  int set(PreparedStatement statement, int first) throws SQLException {
    int parameter = first;
    for (Condition condition : conditions()) {
      statement.setObject(parameter, condition.value);
      parameter++;
    }
    return parameter;
  }
}
