package gatebook.query.calls;

import gatebook.events.call.Dialect;
import gatebook.events.call.Gate;
import gatebook.query.call.CallStatus;
import gatebook.query.projection.ColumnFilter;
import gatebook.query.projection.RowFilter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  /** The numbers of the properties that matching calls have, but for their status and time. */
  List<Integer> properties() {
    return Stream.of(
            gate.map(it -> CallProperty.GATE.number(it.word())),
            dialect.map(it -> CallProperty.DIALECT.number(it.word())),
            method.map(CallProperty.METHOD::number),
            target.map(CallProperty.TARGET::number),
            principal.map(CallProperty.PRINCIPAL::number),
            code.map(CallProperty.CODE::number),
            fault.map(CallProperty.FAULT::number),
            withStatus(target).map(CallProperty.UNANSWERED_TARGET::number),
            withStatus(principal).map(CallProperty.UNANSWERED_PRINCIPAL::number))
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Object> withStatus(Optional<String> text) {
    return status.flatMap(
        it -> Optional.ofNullable(CallProperty.unanswered(it, text.orElse(null))));
  }
}
