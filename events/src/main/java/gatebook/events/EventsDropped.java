package gatebook.events;

import gatebook.events.call.Bytes;
import gatebook.events.call.DroppedCount;
import java.time.Instant;
import java.util.List;

/**
 * The events of these positions are dropped for good, but those of {@code kept}: of each other one
 * only its leaf stays. They are the oldest ones that were left. It happens only after a checkpoint
 * covers this event.
 *
 * @param newestAt the time of the newest one
 * @param rootHash the root of the tree over the first {@code to} events
 * @param kept the positions of the events that stay, as {@code PositionSet} encodes them
 * @param counts what was counted of the events that go
 */
@Named(name = "EventsDropped", version = "1")
public record EventsDropped(
    long from, long to, Instant newestAt, Bytes rootHash, Bytes kept, List<DroppedCount> counts)
    implements Event {
  public EventsDropped {
    counts = List.copyOf(counts);
  }
}
