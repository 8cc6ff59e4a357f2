package gatebook.command.call;

import gatebook.events.Event;
import gatebook.events.vocabulary.ContentMessage;
import java.util.List;
import org.axonframework.messaging.eventhandling.gateway.EventAppender;
import org.jspecify.annotations.Nullable;

/** A decision: events for one append, all or none, and an outcome for the sender of the command. */
public record Decision<R>(List<Event> events, R outcome) {
  public Decision {
    events = List.copyOf(events);
  }

  /** Appends the events, which have no content of a principal that they do not name. */
  public R appendTo(EventAppender eventAppender) {
    eventAppender.append(events);
    return outcome;
  }

  /**
   * Appends the events, and returns the outcome.
   *
   * @param principal whose content the events have; absent for a message without one
   */
  public R appendTo(EventAppender eventAppender, @Nullable String principal) {
    if (principal == null) {
      return appendTo(eventAppender);
    }
    eventAppender.append(ContentMessage.of(events, principal));
    return outcome;
  }
}
