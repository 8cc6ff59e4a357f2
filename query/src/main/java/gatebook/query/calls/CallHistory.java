package gatebook.query.calls;

import gatebook.events.CallEvent;
import gatebook.events.journal.Entry;
import gatebook.events.journal.Journal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;

/** Tells the events of one call one after the other, with what was known of it after each. */
public final class CallHistory {

  private final CallEvents events;

  public CallHistory(Journal journal) {
    this.events = new CallEvents(journal);
  }

  /**
   * One event of a call.
   *
   * @param name without its namespace
   * @param at RFC 3339, UTC
   * @param event absent where this version cannot read it
   * @param sinceBeginMicros how long the call had taken by then, up to its end
   * @param call as it was known after the event, without its events
   */
  public record Moment(
      long position,
      String name,
      String at,
      Optional<CallEvent> event,
      long sinceBeginMicros,
      CallView call) {}

  public List<Moment> of(UUID call) {
    List<Entry> entries = events.entries(call);
    List<CallTiming.Told> told =
        entries.stream()
            .map(entry -> new CallTiming.Told(events.read(entry).findFirst(), entry.at()))
            .toList();
    List<List<TimeShare>> spent = CallTiming.of(told);
    CallSummary callSummary = new CallSummary(call);
    List<Moment> moments = new ArrayList<>();
    long micros = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Optional<CallEvent> event = told.get(i).event();
      event.ifPresent(it -> callSummary.tell(it, entry.at()));
      micros += spent.get(i).stream().mapToLong(TimeShare::micros).sum();
      moments.add(
          new Moment(
              entry.position(),
              new QualifiedName(entry.name()).localName(),
              entry.at(),
              event,
              micros,
              callSummary.told(List.of())));
    }
    return moments;
  }
}
