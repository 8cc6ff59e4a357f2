package gatebook.events.journal.axon;

import gatebook.events.journal.Entry;
import java.util.List;

/** Events that follow one another, in the order of positions; never none. */
public record Page(List<Entry> events) {
  public Page {
    events = List.copyOf(events);
  }
}
