package gatebook.events.journal;

import java.util.Set;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/** What must not have happened for an append to stand: a matching event beyond a position. */
public record ConflictCondition(long after, @Nullable EventCriteria criteria) {
  private static final ConflictCondition NONE = new ConflictCondition(Long.MAX_VALUE, null);

  /** An append that nothing can contradict. */
  public static ConflictCondition none() {
    return NONE;
  }

  public static ConflictCondition nothingAfter(long position, EventCriteria criteria) {
    return new ConflictCondition(position, criteria);
  }

  boolean matches(String name, Set<Tag> tags) {
    return criteria != null && criteria.matches(new QualifiedName(name), tags);
  }
}
