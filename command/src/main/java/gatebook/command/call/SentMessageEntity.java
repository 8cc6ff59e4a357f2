package gatebook.command.call;

import gatebook.events.TaskCreated;
import gatebook.events.vocabulary.SentMessageTag;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;
import org.jspecify.annotations.Nullable;

/** Entity of the messages that were sent with one id: the task that the last one asked for. */
@EventSourcedEntity
public final class SentMessageEntity {
  private @Nullable TaskCreated task;

  @EntityCreator
  SentMessageEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(SentMessageKey key) {
    return EventCriteria.havingTags(SentMessageTag.of(key.value()));
  }

  /** Absent when there is none. */
  @Nullable TaskCreated task() {
    return task;
  }

  @EventSourcingHandler
  void on(TaskCreated event) {
    task = event;
  }
}
