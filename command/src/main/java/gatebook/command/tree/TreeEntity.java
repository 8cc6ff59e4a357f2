package gatebook.command.tree;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeTaskArchived;
import gatebook.events.TreeTaskCancelled;
import gatebook.events.TreeTaskCompleted;
import gatebook.events.TreeTaskCreated;
import gatebook.events.TreeTaskDeleted;
import gatebook.events.TreeTaskFailed;
import gatebook.events.TreeTaskLinked;
import gatebook.events.TreeTaskReferenced;
import gatebook.events.TreeTaskReopened;
import gatebook.events.TreeTaskRetried;
import gatebook.events.TreeTaskStarted;
import gatebook.events.TreeTaskUpdated;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;

/** Entity of one tree of tasks, sourced when it is read, and when an execution begins or ends. */
@EventSourcedEntity(tagKey = "tree")
public final class TreeEntity {
  private final TreeTasks tasks = new TreeTasks();

  @EntityCreator
  TreeEntity() {}

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
  void on(TreeTaskStarted event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskRetried event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskCompleted event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskFailed event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskCancelled event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskReopened event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskLinked event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskReferenced event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeTaskArchived event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeExecutionStarted event) {
    tasks.evolve(event);
  }

  @EventSourcingHandler
  void on(TreeExecutionEnded event) {
    tasks.evolve(event);
  }
}
