package gatebook.query.errors;

import gatebook.events.ApprovalRequested;
import gatebook.events.CallAdmitted;
import gatebook.events.CallEvent;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.DroppedEvents;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.SeededTable;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * Projects every error response to a row with its key, together with the denial that it tells of,
 * and counts the rows: errors at the time of the response, denials at their own. A denial is
 * counted when its error response is known, which is nearly always the next event; one that is
 * never told is a row without an error. What a candidate would deny, too, is in the row of the
 * denial, and what only it would deny is in rows of another table.
 */
final class ErrorsProjection implements Projection {
  private final Function<UUID, List<CallEvent>> eventsOfCall;

  /** {@code eventsOfCall} are those that the journal has so far. */
  ErrorsProjection(Function<UUID, List<CallEvent>> eventsOfCall) {
    this.eventsOfCall = eventsOfCall;
  }

  @Override
  public String name() {
    return "faults";
  }

  @Override
  public int version() {
    return 11;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "errors",
            "place",
            List.of(
                "place BIGINT NOT NULL",
                "at BIGINT",
                "denied_at BIGINT",
                "times BIGINT NOT NULL",
                "fingerprint BIGINT",
                "dialect VARCHAR",
                "code VARCHAR",
                "fault VARCHAR",
                "gate VARCHAR",
                "target VARCHAR",
                "agent VARCHAR",
                "skill VARCHAR",
                "principal VARCHAR",
                "reason VARCHAR",
                "error_key BIGINT",
                "denial_key BIGINT",
                "observed_gate VARCHAR",
                "observed_target VARCHAR",
                "observed_reason VARCHAR"),
            List.of()),
        new ViewTable(
            ObservedDenial.TABLE,
            "place",
            List.of(
                "place BIGINT NOT NULL",
                "observed_at BIGINT NOT NULL",
                "times BIGINT NOT NULL",
                "principal VARCHAR NOT NULL",
                "observed_gate VARCHAR",
                "observed_target VARCHAR",
                "observed_reason VARCHAR NOT NULL"),
            List.of()),
        new ViewTable("untold", "place", List.of("place BIGINT NOT NULL"), List.of("call")));
  }

  @Override
  public List<SeededTable> seededTables() {
    return List.copyOf(Counted.countTables());
  }

  @Override
  public void drop(Connection view, DroppedEvents dropped) throws SQLException {
    DroppedErrorRows.replace(view, dropped);
  }

  @Override
  public ErrorRows rows(Connection view) {
    return new ErrorRows(view);
  }

  @ProjectionHandler
  void on(GateDenied event, Entry entry, ErrorRows rows) {
    rows.add(event, entry);
  }

  @ProjectionHandler
  void on(CallAdmitted event, Entry entry, ErrorRows rows) {
    rows.addObserved(event.callId(), event.observed(), entry);
  }

  @ProjectionHandler
  void on(ApprovalRequested event, Entry entry, ErrorRows rows) {
    rows.addObserved(event.callId(), event.observed(), entry);
  }

  @ProjectionHandler
  void on(ErrorTranslated event, Entry entry, ErrorRows rows) throws SQLException {
    rows.add(event, entry, agent(event));
  }

  /** The agent is in the event that the call began with. */
  private AddressedAgent agent(ErrorTranslated event) {
    return event.told().dialect() == Dialect.A2A && event.firstToldTo() == null
        ? AddressedAgent.of(eventsOfCall.apply(event.callId()), event.fault())
        : AddressedAgent.NONE;
  }

  @ProjectionHandler
  void on(MessageRefused event, Entry entry, ErrorRows rows) {
    rows.add(event, entry);
  }

  @ProjectionHandler
  void on(MessagesRefused event, Entry entry, ErrorRows rows) {
    rows.add(event, entry);
  }
}
