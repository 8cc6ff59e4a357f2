package gatebook.events.journal.storage;

import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.axonframework.messaging.eventstreaming.EventCriterion;
import org.axonframework.messaging.eventstreaming.Tag;
import org.jspecify.annotations.Nullable;

/**
 * The selection of entries that can match some criteria, as far as an index can decide it; the
 * reader then checks each row.
 */
public sealed interface EntrySelection {
  record Everything() implements EntrySelection {}

  record Tagged(Set<String> tags) implements EntrySelection {}

  static EntrySelection of(@Nullable EventCriteria criteria) {
    Set<String> tags = new TreeSet<>();
    if (criteria == null || !criteria.hasCriteria()) {
      return new Everything();
    }
    for (EventCriterion criterion : criteria.flatten()) {
      if (criterion.tags().isEmpty()) {
        return new Everything();
      }
      tags.add(rarest(criterion.tags()));
    }
    return new Tagged(tags);
  }

  /** Any tag of a criterion selects its matches; the longest text is most likely an id. */
  private static String rarest(Set<Tag> tags) {
    return tags.stream()
        .map(TagText::index)
        .max(Comparator.comparingInt(String::length))
        .orElseThrow();
  }
}
