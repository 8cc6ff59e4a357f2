package gatebook.events.journal;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.EventCriterion;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The writer's memory of the newest events, enough to judge nearly every condition without asking
 * the database.
 *
 * <p>It knows every event with {@code floor < position <= head}.
 */
final class RecentEvents {
  private static final int EVENTS_MAX = 4_096;
  private static final long UNKNOWN = -1;

  private record Seen(long position, String name, Set<Tag> tags) {}

  private final ArrayDeque<Seen> seen = new ArrayDeque<>();
  private final Map<Tag, Long> newest = new HashMap<>();
  private long floor = UNKNOWN;
  private long head = UNKNOWN;

  /** Starts over when somebody else appended, or when what was remembered was never stored. */
  void alignWith(long edgeSize) {
    if (head != edgeSize) {
      seen.clear();
      newest.clear();
      floor = edgeSize;
      head = edgeSize;
    }
  }

  void forget() {
    head = UNKNOWN;
  }

  long floor() {
    return floor;
  }

  void add(long position, String name, Set<Tag> tags) {
    seen.addLast(new Seen(position, name, tags));
    tags.forEach(tag -> newest.put(tag, position));
    head = position;
    if (seen.size() > EVENTS_MAX) {
      drop(seen.removeFirst());
    }
  }

  private void drop(Seen oldest) {
    oldest.tags().forEach(tag -> newest.remove(tag, oldest.position()));
    floor = oldest.position();
  }

  boolean contradicts(ConflictCondition conflictCondition) {
    if (!mayContradict(conflictCondition)) {
      return false;
    }
    for (Iterator<Seen> newestFirst = seen.descendingIterator(); newestFirst.hasNext(); ) {
      Seen event = newestFirst.next();
      if (event.position() <= conflictCondition.after()) {
        return false;
      }
      if (conflictCondition.matches(event.name(), event.tags())) {
        return true;
      }
    }
    return false;
  }

  private boolean mayContradict(ConflictCondition conflictCondition) {
    EventCriteria criteria = conflictCondition.criteria();
    if (criteria == null || conflictCondition.after() >= head) {
      return false;
    }
    return !criteria.hasCriteria()
        || criteria.flatten().stream().anyMatch(one -> allNewer(one, conflictCondition.after()));
  }

  private boolean allNewer(EventCriterion criterion, long after) {
    return criterion.tags().stream().allMatch(tag -> newest.getOrDefault(tag, UNKNOWN) > after);
  }
}
