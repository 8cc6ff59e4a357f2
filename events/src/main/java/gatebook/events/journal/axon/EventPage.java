package gatebook.events.journal.axon;

import gatebook.events.journal.Entry;
import java.util.List;

/** Events that follow one another, in the order of positions; never none. */
public record EventPage(List<Entry> events) {
  public EventPage {
    events = List.copyOf(events);
  }
}
