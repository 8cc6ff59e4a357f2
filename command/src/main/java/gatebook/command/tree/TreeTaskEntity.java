package gatebook.command.tree;

import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import gatebook.events.vocabulary.TreeTaskTag;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Entity of one task of a tree, sourced from the events of that task alone. */
@EventSourcedEntity
public final class TreeTaskEntity {
  private @Nullable TreeTask task;

  @EntityCreator
  TreeTaskEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(TaskKey key) {
    return EventCriteria.havingTags(TreeTaskTag.of(key.owner(), key.taskId()));
  }

  /** The task; absent when it was never created, or was deleted. */
  public @Nullable TreeTask task() {
    return task;
  }

  private void evolve(TreeTaskEvent event) {
    task = TreeTask.evolve(task, event);
  }

  @EventSourcingHandler
  void on(TreeTaskCreated event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskUpdated event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskDeleted event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskStarted event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskRetried event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskCompleted event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskFailed event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskCancelled event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskReopened event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskLinked event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskReferenced event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskArchived event) {
    evolve(event);
  }
}
