package gatebook.query.errors;

import gatebook.events.call.Gate;
import gatebook.events.call.ObservedVerdict;
import gatebook.events.call.ObservedVerdict.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The denial by an observed candidate, of which nobody was told. It is in the row of the call's own
 * denial where there is one, else in a row of its own.
 */
record ObservedDenial(@Nullable String gate, @Nullable String target, String reason) {
  static final String TABLE = "observed";
  static final String AT = "observed_at";

  /** The columns in both tables, in the order in which they are set. */
  static final String COLUMNS = "observed_gate, observed_target, observed_reason";

  /** The columns by which they are grouped where nothing else is asked for. */
  static final List<String> GROUPED = List.of("observed_gate", "observed_reason");

  /** The condition under which a row has one. */
  static final String IS_PRESENT = "observed_reason IS NOT NULL";

  /**
   * The denial that a verdict is; null when it is none.
   *
   * @param target of the event, which a verdict on the same one leaves out
   */
  static @Nullable ObservedDenial of(@Nullable ObservedVerdict verdict, @Nullable String target) {
    return verdict == null || verdict.outcome() != Outcome.WOULD_DENY
        ? null
        : new ObservedDenial(
            word(verdict.gate()),
            verdict.target() == null ? target : verdict.target(),
            Objects.requireNonNull(verdict.reason()));
  }

  private static @Nullable String word(@Nullable Gate gate) {
    return gate == null ? null : gate.word();
  }

  /** That of a row, of which the columns are read from {@code first} on; null when it has none. */
  static @Nullable ObservedDenial of(ResultSet row, int first) throws SQLException {
    String reason = row.getString(first + 2);
    return reason == null
        ? null
        : new ObservedDenial(row.getString(first), row.getString(first + 1), reason);
  }

  /** Sets the columns from a parameter on, all to nothing where a row has none. */
  static void set(@Nullable ObservedDenial denial, PreparedStatement insert, int first)
      throws SQLException {
    insert.setString(first, denial == null ? null : denial.gate);
    insert.setString(first + 1, denial == null ? null : denial.target);
    insert.setString(first + 2, denial == null ? null : denial.reason);
  }
}
