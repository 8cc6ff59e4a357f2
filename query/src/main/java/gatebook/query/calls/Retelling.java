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
public final class Retelling {

  private final CallEvents events;

  public Retelling(Journal journal) {
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
      Call call) {}

  public List<Moment> of(UUID call) {
    List<Entry> entries = events.entries(call);
    List<TimeSpent.Told> told =
        entries.stream()
            .map(entry -> new TimeSpent.Told(events.read(entry).findFirst(), entry.at()))
            .toList();
    List<List<Spent>> spent = TimeSpent.of(told);
    Story story = new Story(call);
    List<Moment> moments = new ArrayList<>();
    long micros = 0;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      Optional<CallEvent> event = told.get(i).event();
      event.ifPresent(it -> story.tell(it, entry.at()));
      micros += spent.get(i).stream().mapToLong(Spent::micros).sum();
      moments.add(
          new Moment(
              entry.position(),
              new QualifiedName(entry.name()).localName(),
              entry.at(),
              event,
              micros,
              story.told(List.of())));
    }
    return moments;
  }
}
