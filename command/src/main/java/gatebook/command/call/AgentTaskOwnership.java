package gatebook.command.call;

import gatebook.events.AgentTaskCreated;
import gatebook.events.vocabulary.AgentTaskTag;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Ownership of an agent's task and of its context. The first owner stays the owner. */
@EventSourcedEntity
public final class AgentTaskOwnership {
  private final Map<String, String> taskOwners = new HashMap<>();
  private final Map<String, String> contextOwners = new HashMap<>();

  @EntityCreator
  AgentTaskOwnership() {}

  /**
   * For a key without ids, criteria that match no event: empty ones would read the whole journal.
   */
  @EventCriteriaBuilder
  static EventCriteria criteria(AgentTaskKey key) {
    List<EventCriteria> either = new ArrayList<>();
    if (key.contextId() != null) {
      either.add(EventCriteria.havingTags(AgentTaskTag.ofContext(key.source(), key.contextId())));
    }
    if (key.taskId() != null || either.isEmpty()) {
      String taskId = key.taskId() == null ? "" : key.taskId();
      either.add(EventCriteria.havingTags(AgentTaskTag.ofTask(key.source(), taskId)));
    }
    return EventCriteria.either(either);
  }

  /** Whether the principal owns every id of the key. */
  boolean isOwned(AgentTaskKey key, String principal) {
    return (key.taskId() == null || principal.equals(taskOwner(key)))
        && (key.contextId() == null || principal.equals(contextOwner(key)));
  }

  /** Whether another principal owns an id of the key. */
  boolean isForeign(AgentTaskKey key, String principal) {
    return isOther(taskOwner(key), principal) || isOther(contextOwner(key), principal);
  }

  private static boolean isOther(@Nullable String owner, String principal) {
    return owner != null && !owner.equals(principal);
  }

  private @Nullable String taskOwner(AgentTaskKey key) {
    return taskOwners.get(key.taskId());
  }

  private @Nullable String contextOwner(AgentTaskKey key) {
    return contextOwners.get(key.contextId());
  }

  @EventSourcingHandler
  void on(AgentTaskCreated event) {
    if (event.taskId() != null) {
      taskOwners.putIfAbsent(event.taskId(), event.principal());
    }
    if (event.contextId() != null) {
      contextOwners.putIfAbsent(event.contextId(), event.principal());
    }
  }
}
