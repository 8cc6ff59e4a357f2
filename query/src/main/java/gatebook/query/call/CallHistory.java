package gatebook.query.call;

import gatebook.events.CallEvent;
import gatebook.events.journal.Journal;
import gatebook.events.journal.storage.Entry;
import gatebook.events.vocabulary.ContentState;
import gatebook.events.vocabulary.EventVocabulary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.axonframework.messaging.core.QualifiedName;

/** Reads the history of one call: its events in order, and the state of the call after each. */
public final class CallHistory {

  private final CallEvents events;

  public CallHistory(Journal journal, EventVocabulary eventVocabulary) {
    this.events = new CallEvents(journal, eventVocabulary);
  }

  /**
   * One event of a call.
   *
   * @param name without its namespace
   * @param at RFC 3339, UTC
   * @param event absent when this version cannot read it
   * @param contentState whether the content of the event can be read
   * @param sinceBeginMicros the time the call had taken by then, up to its end
   * @param call the state of the call after the event, without its events
   */
  public record Moment(
      long position,
      String name,
      String at,
      Optional<CallEvent> event,
      ContentState contentState,
      long sinceBeginMicros,
      CallView call) {}

  public List<Moment> of(UUID call) {
    List<CallEvents.Opened> opened = events.entries(call).stream().map(events::open).toList();
    List<CallTiming.TimedEvent> timed =
        opened.stream().map(it -> new CallTiming.TimedEvent(it.event(), it.entry().at())).toList();
    List<List<TimeShare>> shares = CallTiming.of(timed);
    CallSummary callSummary = new CallSummary(call);
    List<Moment> moments = new ArrayList<>();
    long micros = 0;
    for (int i = 0; i < opened.size(); i++) {
      Entry entry = opened.get(i).entry();
      Optional<CallEvent> event = opened.get(i).event();
      event.ifPresent(it -> callSummary.apply(it, entry.at()));
      micros += shares.get(i).stream().mapToLong(TimeShare::micros).sum();
      moments.add(
          new Moment(
              entry.position(),
              new QualifiedName(entry.name()).localName(),
              entry.at(),
              event,
              opened.get(i).contentState(),
              micros,
              callSummary.toView(List.of())));
    }
    return moments;
  }
}
