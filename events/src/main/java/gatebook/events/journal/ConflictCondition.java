package gatebook.events.journal;

import java.util.Set;
import org.axonframework.messaging.core.QualifiedName;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/** The condition of an append: it conflicts with any matching event after a position. */
public record ConflictCondition(long after, @Nullable EventCriteria criteria) {
  private static final ConflictCondition NONE = new ConflictCondition(Long.MAX_VALUE, null);

  /** The condition of an append that never conflicts. */
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
