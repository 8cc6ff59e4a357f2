package gatebook.command.tree.execution;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import java.util.UUID;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.core.MessageTypeResolver;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Entity of one execution of a tree, sourced from its begin, its takeovers and its end alone. */
@EventSourcedEntity
public final class TreeExecutionEntity {
  private @Nullable TreeExecutionStarted open;

  @EntityCreator
  TreeExecutionEntity() {}

  @EventCriteriaBuilder
  public static EventCriteria criteria(UUID executionId, MessageTypeResolver eventNames) {
    return EventCriteria.havingTags("tree-execution", executionId.toString())
        .andBeingOneOfTypes(eventNames, TreeExecutionStarted.class, TreeExecutionEnded.class);
  }

  /** How the execution began, or was taken over last; absent once it has ended. */
  public @Nullable TreeExecutionStarted open() {
    return open;
  }

  @EventSourcingHandler
  void on(TreeExecutionStarted event) {
    open = event;
  }

  @EventSourcingHandler
  void on(TreeExecutionEnded event) {
    open = null;
  }
}
