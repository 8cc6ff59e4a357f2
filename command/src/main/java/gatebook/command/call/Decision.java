package gatebook.command.call;

import gatebook.events.Event;
import java.util.List;

/** A decision: events for one append, all or none, and an outcome for the sender of the command. */
public record Decision<R>(List<Event> events, R outcome) {
  public Decision {
    events = List.copyOf(events);
  }
}
