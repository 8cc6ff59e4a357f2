package gatebook.query.calls;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.RowFilter;
import java.time.Instant;
import java.util.Optional;

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

  /** The conditions on the rows of calls. */
  RowFilter rowFilter() {
    return new RowFilter()
        .and("status", ColumnFilter.of(status.map(CallStatus::word)))
        .and("gate", ColumnFilter.of(gate.map(Gate::word)))
        .and("dialect", ColumnFilter.of(dialect.map(Dialect::word)))
        .and("method", ColumnFilter.of(method))
        .and("target", ColumnFilter.of(target))
        .and("principal", ColumnFilter.of(principal))
        .and("code", ColumnFilter.of(code))
        .and("fault", ColumnFilter.of(fault))
        .and("correlation", ColumnFilter.of(correlationId))
        .andIn(since, until);
  }

  /**
   * The column with an index to read the rows by: of those that the filter names the one whose
   * values have the fewest calls, as a rule.
   */
  Optional<String> indexedColumn() {
    return CallTable.INDEXED.stream().filter(this::names).findFirst();
  }

  private boolean names(String column) {
    return switch (column) {
      case "target" -> target.isPresent();
      case "principal" -> principal.isPresent();
      case "method" -> method.isPresent();
      case "fault" -> fault.isPresent();
      case "code" -> code.isPresent();
      case "gate" -> gate.isPresent();
      case "status" -> status.isPresent();
      case "dialect" -> dialect.isPresent();
      default -> throw new IllegalArgumentException("no filter has " + column);
    };
  }
}
