package gatebook.query.errors;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** A row for a call that an observed candidate would deny, and the gates did not. */
record ObservedRow(UUID call, long position, long at, String principal, ObservedDenial denial) {
  static final String INSERT =
      "INSERT INTO observed (call, position, changed, place, observed_at, times, principal, "
          + ObservedDenial.COLUMNS
          + ") VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?)";

  long place() {
    return position * ErrorRow.ROWS_MAX;
  }

  void set(PreparedStatement insert) throws SQLException {
    insert.setObject(1, call);
    insert.setLong(2, position);
    insert.setLong(3, position);
    insert.setLong(4, place());
    insert.setLong(5, at);
    insert.setString(6, principal);
    ObservedDenial.set(denial, insert, 7);
  }
}
