package gatebook.events.journal.axon;

import gatebook.events.journal.storage.Entry;
import java.util.List;

/** A page of consecutive events in the order of positions; never empty. */
public record EventPage(List<Entry> events) {
  public EventPage {
    events = List.copyOf(events);
  }
}
