package gatebook.events.journal.drop;

import gatebook.events.call.DroppedCount;
import java.util.List;

/**
 * A plan to drop a range of events for good.
 *
 * @param kept the positions of the events that stay
 * @param counts of the events that go
 */
public record DropPlan(PositionSet kept, List<DroppedCount> counts) {
  public DropPlan {
    counts = List.copyOf(counts);
  }
}
