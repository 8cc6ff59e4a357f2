package gatebook.command.call;

import gatebook.events.Event;
import java.util.List;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;

/** A decision: events for one append, all or none, and an outcome for the sender of the command. */
public record Decision<R>(List<Event> events, R outcome) {
  public Decision {
    events = List.copyOf(events);
  }

  /** Appends the events, and returns the outcome. */
  public R appendTo(EventAppender eventAppender) {
    eventAppender.append(events);
    return outcome;
  }
}
