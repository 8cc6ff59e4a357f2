package gatebook.query.faults;

import gatebook.events.CallEvent;
import gatebook.events.ErrorTranslated;
import gatebook.events.MessageRefused;
import gatebook.events.MessagesRefused;
import gatebook.events.call.Dialect;
import gatebook.events.journal.storage.Entry;
import gatebook.query.projection.NewestFirst;
import gatebook.query.projection.Projection;
import gatebook.query.projection.ProjectionHandler;
import gatebook.query.projection.SeededTable;
import gatebook.query.projection.ViewTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Projects every error response to a row with its fault key, and counts these rows by it. */
final class FaultsProjection implements Projection {
  private final Function<UUID, List<CallEvent>> eventsOfCall;

  /** {@code eventsOfCall} are those that the journal has so far. */
  FaultsProjection(Function<UUID, List<CallEvent>> eventsOfCall) {
    this.eventsOfCall = eventsOfCall;
  }

  @Override
  public String name() {
    return "faults";
  }

  @Override
  public int version() {
    return 6;
  }

  @Override
  public List<ViewTable> tables() {
    return List.of(
        new ViewTable(
            "faults",
            "place",
            List.of(
                "place BIGINT NOT NULL",
                "at BIGINT NOT NULL",
                "fingerprint BIGINT NOT NULL",
                "dialect VARCHAR NOT NULL",
                "code VARCHAR",
                "fault VARCHAR NOT NULL",
                "gate VARCHAR",
                "target VARCHAR",
                "agent VARCHAR",
                "skill VARCHAR",
                "times BIGINT NOT NULL",
                "count_key BIGINT NOT NULL"),
            List.of(NewestFirst.order("place"))));
  }

  @Override
  public List<SeededTable> seededTables() {
    return List.of(FaultRows.COUNTS);
  }

  @Override
  public FaultRows rows(Connection view) {
    return new FaultRows(view);
  }

  @ProjectionHandler
  void on(ErrorTranslated event, Entry entry, FaultRows rows) throws SQLException {
    if (event.firstToldTo() == null) {
      rows.add(
          event.callId(),
          entry,
          FaultKey.of(event.told(), event.fault(), event.target()),
          agent(event));
    }
  }

  /** The agent is in the event that the call began with. */
  private AddressedAgent agent(ErrorTranslated event) {
    return event.told().dialect() == Dialect.A2A
        ? AddressedAgent.of(eventsOfCall.apply(event.callId()), event.fault())
        : AddressedAgent.NONE;
  }

  @ProjectionHandler
  void on(MessageRefused event, Entry entry, FaultRows rows) throws SQLException {
    rows.add(
        event.callId(), entry, FaultKey.of(event.told(), event.fault(), null), AddressedAgent.NONE);
  }

  @ProjectionHandler
  void on(MessagesRefused event, Entry entry, FaultRows rows) throws SQLException {
    for (int i = 0; i < event.counts().size(); i++) {
      rows.add(entry, i, event.counts().get(i));
    }
  }
}
