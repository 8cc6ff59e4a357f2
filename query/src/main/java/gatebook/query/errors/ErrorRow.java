package gatebook.query.errors;

import gatebook.events.call.ErrorResponse;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row with a denial, an error, or both.
 *
 * <p>An error is in the row of the denial that it tells of where it is the next event and agrees in
 * all that both have, as the product records them. No other row is between the two then, so that
 * one place orders denials and errors alike.
 */
final class ErrorRow {
  static final String INSERT =
      "INSERT INTO errors (call, position, changed, place, at, denied_at, times, fingerprint,"
          + " dialect, code, fault, gate, target, agent, skill, principal, reason, error_key,"
          + " denial_key, "
          + ObservedDenial.COLUMNS
          + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

  static final String INSERT_UNTOLD =
      "INSERT INTO untold (call, position, changed, place) VALUES (?, ?, ?, ?)";

  /** The maximum number of rows of one event; there are fewer. */
  static final long ROWS_MAX = 1_000;

  private final @Nullable UUID call;
  private final long position;
  private final int number;
  private final @Nullable Denial denial;
  private @Nullable ErrorResponse told;
  private @Nullable Long denialKey;
  private @Nullable Failure failure;
  private long changed;

  /**
   * The part of a row that is a denial.
   *
   * @param observed that of a candidate which would have denied the call, too
   */
  record Denial(
      long at,
      String gate,
      @Nullable String target,
      String principal,
      String reason,
      @Nullable ObservedDenial observed) {}

  /**
   * The part of a row that is an error.
   *
   * @param times how often it counts
   * @param countKey the key of the counts
   */
  record Failure(
      long at, ErrorKey key, long fingerprint, AddressedAgent agent, long times, Long countKey) {}

  /** A denial of which the caller was not told yet. */
  ErrorRow(UUID call, long position, Denial denial) {
    this(call, position, 0, denial, null);
  }

  /**
   * An error.
   *
   * @param number tells the errors of one event apart
   */
  ErrorRow(@Nullable UUID call, long position, int number, Failure failure) {
    this(call, position, number, null, failure);
  }

  private ErrorRow(
      @Nullable UUID call,
      long position,
      int number,
      @Nullable Denial denial,
      @Nullable Failure failure) {
    this.call = call;
    this.position = position;
    this.number = number;
    this.denial = denial;
    this.failure = failure;
    this.changed = position;
  }

  long place() {
    return position * ROWS_MAX + number;
  }

  @Nullable Denial denial() {
    return denial;
  }

  boolean isUntold() {
    return denial != null && told == null;
  }

  /** Adds what the caller was told of the denial. */
  void tell(ErrorResponse errorResponse, Long countKey, long toldAtPosition) {
    told = errorResponse;
    denialKey = countKey;
    changed = toldAtPosition;
  }

  /** Whether an error at a position, which tells of the denial, belongs in this row. */
  boolean belongs(ErrorKey key, long errorPosition) {
    return denial != null
        && told != null
        && errorPosition == position + 1
        && denial.gate.equals(key.gate())
        && Objects.equals(denial.target, key.target())
        && Integer.toString(told.code()).equals(key.code());
  }

  void fail(Failure added) {
    failure = added;
  }

  void set(PreparedStatement insert) throws SQLException {
    ErrorKey key = failure == null ? null : failure.key;
    setPlace(insert);
    insert.setObject(5, failure == null ? null : failure.at);
    insert.setObject(6, denial == null ? null : denial.at);
    insert.setLong(7, failure == null ? 1 : failure.times);
    insert.setObject(8, failure == null ? null : failure.fingerprint);
    insert.setString(9, key == null ? toldDialect() : key.dialect().word());
    insert.setString(10, key == null ? toldCode() : key.code());
    insert.setString(11, key == null ? null : key.fault());
    insert.setString(12, denial == null ? gate(key) : denial.gate);
    insert.setString(13, denial == null ? target(key) : denial.target);
    insert.setString(14, failure == null ? null : failure.agent.agent());
    insert.setString(15, failure == null ? null : failure.agent.skill());
    insert.setString(16, denial == null ? null : denial.principal);
    insert.setString(17, denial == null ? null : denial.reason);
    insert.setObject(18, failure == null ? null : failure.countKey);
    insert.setObject(19, denialKey);
    ObservedDenial.set(denial == null ? null : denial.observed, insert, 20);
  }

  /** Sets the parameters that the row of a denial in the table {@code untold} has, too. */
  void setPlace(PreparedStatement insert) throws SQLException {
    insert.setObject(1, call);
    insert.setLong(2, position);
    insert.setLong(3, changed);
    insert.setLong(4, place());
  }

  private @Nullable String toldDialect() {
    return told == null ? null : told.dialect().word();
  }

  private @Nullable String toldCode() {
    return told == null ? null : Integer.toString(told.code());
  }

  private static @Nullable String gate(@Nullable ErrorKey key) {
    return key == null ? null : key.gate();
  }

  private static @Nullable String target(@Nullable ErrorKey key) {
    return key == null ? null : key.target();
  }
}
