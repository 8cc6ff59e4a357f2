package gatebook.events.journal;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.EventCriterion;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The recent events that the writer keeps in memory, enough to check nearly every condition without
 * a query.
 *
 * <p>It has every event with {@code floor < position <= head}.
 */
final class RecentEvents {
  private static final int EVENTS_MAX = 4_096;
  private static final long UNKNOWN = -1;

  private record RecentEvent(long position, String name, Set<Tag> tags) {}

  private final ArrayDeque<RecentEvent> events = new ArrayDeque<>();
  private final Map<Tag, RecentEvent> newest = new HashMap<>();
  private long floor = UNKNOWN;
  private long head = UNKNOWN;

  /** Starts over when another process appended, or when remembered events were never stored. */
  void alignWith(long edgeSize) {
    if (head != edgeSize) {
      events.clear();
      newest.clear();
      floor = edgeSize;
      head = edgeSize;
    }
  }

  void invalidate() {
    head = UNKNOWN;
  }

  long floor() {
    return floor;
  }

  void add(long position, String name, Set<Tag> tags) {
    RecentEvent event = new RecentEvent(position, name, tags);
    events.addLast(event);
    for (Tag tag : tags) {
      newest.put(tag, event);
    }
    head = position;
    if (events.size() > EVENTS_MAX) {
      drop(events.removeFirst());
    }
  }

  private void drop(RecentEvent oldest) {
    for (Tag tag : oldest.tags()) {
      newest.remove(tag, oldest);
    }
    floor = oldest.position();
  }

  boolean conflictsWith(ConflictCondition conflictCondition) {
    if (!mayConflict(conflictCondition)) {
      return false;
    }
    for (Iterator<RecentEvent> newestFirst = events.descendingIterator(); newestFirst.hasNext(); ) {
      RecentEvent event = newestFirst.next();
      if (event.position() <= conflictCondition.after()) {
        return false;
      }
      if (conflictCondition.matches(event.name(), event.tags())) {
        return true;
      }
    }
    return false;
  }

  private boolean mayConflict(ConflictCondition conflictCondition) {
    EventCriteria criteria = conflictCondition.criteria();
    if (criteria == null || conflictCondition.after() >= head) {
      return false;
    }
    return !criteria.hasCriteria()
        || criteria.flatten().stream().anyMatch(one -> allNewer(one, conflictCondition.after()));
  }

  private boolean allNewer(EventCriterion criterion, long after) {
    return criterion.tags().stream().allMatch(tag -> isNewer(newest.get(tag), after));
  }

  private static boolean isNewer(@Nullable RecentEvent event, long after) {
    return event != null && event.position() > after;
  }
}
