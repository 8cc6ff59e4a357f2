package gatebook.command.call;

import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.vocabulary.SentMessageTag;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Entity of the messages that were sent with one id: the tasks that the last one asked for. */
@EventSourcedEntity
public final class SentMessageEntity {
  private @Nullable TaskCreated task;
  private @Nullable AgentTaskCreated agentTask;

  @EntityCreator
  SentMessageEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(SentMessageKey key) {
    return EventCriteria.havingTags(SentMessageTag.of(key.value()));
  }

  /** The task here; absent when there is none. */
  @Nullable TaskCreated task() {
    return task;
  }

  /** The task of the agent; absent when there is none. */
  @Nullable AgentTaskCreated agentTask() {
    return agentTask;
  }

  @EventSourcingHandler
  void on(TaskCreated event) {
    task = event;
  }

  @EventSourcingHandler
  void on(AgentTaskCreated event) {
    agentTask = event;
  }
}
