package gatebook.command.tree;

import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskUpdated;
import java.util.UUID;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/**
 * Entity of the shape of one tree: which tasks it has, below which others, what they depend on, and
 * which are archives. It is sourced without their transitions, so that a change of the shape does
 * not conflict with what runs; how far a task is, {@link TreeTaskEntity} knows.
 */
@EventSourcedEntity
public final class TreeShapeEntity {
  private final TreeTasks tasks = new TreeTasks();

  @EntityCreator
  TreeShapeEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(UUID treeId, MessageTypeResolver eventNames) {
    return EventCriteria.havingTags("tree", treeId.toString())
        .andBeingOneOfTypes(
            eventNames,
            TreeTaskCreated.class,
            TreeTaskUpdated.class,
            TreeTaskDeleted.class,
            TreeTaskArchived.class);
  }

  /** The tasks, of which each has the status with which it was created. */
  public TreeTasks tasks() {
    return tasks;
  }

  @EventSourcingHandler
  void on(TreeTaskCreated event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskUpdated event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskDeleted event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskArchived event) {
    tasks.evolve(event);
  }
}
