package gatebook.command.call;

import gatebook.events.Event;
import java.util.List;

/** What a decision comes to: events for one append, all or none, and a value for who asked. */
public record Decision<R>(List<Event> events, R outcome) {
  public Decision {
    events = List.copyOf(events);
  }
}
