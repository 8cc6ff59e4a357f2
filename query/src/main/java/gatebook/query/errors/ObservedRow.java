package gatebook.query.errors;

import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A row for a call that an observed candidate would deny. */
record ObservedRow(UUID call, long position, long at, ObservedVerdict verdict) {
  static final String TABLE = "observed";
  static final String AT = "observed_at";
  static final String INSERT =
      "INSERT INTO observed (call, position, changed, place, observed_at, times, gate, target,"
          + " principal, reason) VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)";

  void set(PreparedStatement insert) throws SQLException {
    insert.setObject(1, call);
    insert.setLong(2, position);
    insert.setLong(3, position);
    insert.setLong(4, position * ErrorRow.ROWS_MAX);
    insert.setLong(5, at);
    insert.setString(6, word(verdict.gate()));
    insert.setString(7, verdict.target());
    insert.setString(8, verdict.principal());
    insert.setString(9, verdict.reason());
  }

  private static @Nullable String word(@Nullable Gate gate) {
    return gate == null ? null : gate.word();
  }
}
