package gatebook.command.tree;

import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.vocabulary.TreeTaskTag;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** Entity of the ids that an owner wants to give to new tasks: which of them are taken. */
@EventSourcedEntity
public final class TakenTaskIds {
  private final Set<String> taken = new HashSet<>();

  /** The ids that an owner wants to give. */
  public record WantedIds(String owner, List<String> ids) {
    public WantedIds {
      ids = List.copyOf(ids);
    }
  }

  @EntityCreator
  TakenTaskIds() {}

  /**
   * For a key without ids, criteria that match no event: empty ones would read the whole journal.
   */
  @EventCriteriaBuilder
  static EventCriteria criteria(WantedIds wanted) {
    List<String> ids = wanted.ids().isEmpty() ? List.of("") : wanted.ids();
    return EventCriteria.either(
        ids.stream()
            .<EventCriteria>map(id -> EventCriteria.havingTags(TreeTaskTag.of(wanted.owner(), id)))
            .toList());
  }

  boolean contains(String id) {
    return taken.contains(id);
  }

  @EventSourcingHandler
  void on(TreeTaskCreated event) {
    taken.add(event.taskId());
  }

  @EventSourcingHandler
  void on(TreeTaskDeleted event) {
    taken.remove(event.taskId());
  }
}
