package gatebook.command.call.agent;

import gatebook.command.call.SentMessageKey;
import gatebook.events.AgentTaskCreated;
import gatebook.events.TaskCreated;
import gatebook.events.vocabulary.SentMessageTag;
import java.util.ArrayList;
import java.util.List;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** Entity of the messages that were sent with one id: the tasks that they asked for. */
@EventSourcedEntity
public final class SentMessageEntity {
  private final List<TaskCreated> tasks = new ArrayList<>();
  private final List<AgentTaskCreated> agentTasks = new ArrayList<>();

  @EntityCreator
  SentMessageEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(SentMessageKey key) {
    return EventCriteria.havingTags(SentMessageTag.of(key.value()));
  }

  /** The tasks here, the newest first. */
  List<TaskCreated> tasks() {
    return tasks.reversed();
  }

  /** The tasks of the agent, the newest first. */
  List<AgentTaskCreated> agentTasks() {
    return agentTasks.reversed();
  }

  @EventSourcingHandler
  void on(TaskCreated event) {
    tasks.add(event);
  }

  @EventSourcingHandler
  void on(AgentTaskCreated event) {
    agentTasks.add(event);
  }
}
