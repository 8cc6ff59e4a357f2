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
   * @param call as it was known after the event, without its events
   */
  public record Moment(
      long position, String name, String at, Optional<CallEvent> event, Call call) {}

  public List<Moment> of(UUID call) {
    Story story = new Story(call);
    List<Moment> moments = new ArrayList<>();
    for (Entry entry : events.entries(call)) {
      Optional<CallEvent> event = events.read(entry).findFirst();
      event.ifPresent(it -> story.tell(it, entry.at()));
      moments.add(
          new Moment(
              entry.position(),
              new QualifiedName(entry.name()).localName(),
              entry.at(),
              event,
              story.told(List.of())));
    }
    return moments;
  }
}
