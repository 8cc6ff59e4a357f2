package gatebook.command.gateway;

import gatebook.events.RulesObserved;
import gatebook.events.vocabulary.ObservedRulesTag;
import org.axonframework.eventsourcing.annotation.EventCriteriaBuilder;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.axonframework.messaging.eventstreaming.EventCriteria;

/** Entity of the candidate rules of one hash: whether they were recorded. */
@EventSourcedEntity
public final class ObservedRulesEntity {
  private boolean isRecorded;

  @EntityCreator
  ObservedRulesEntity() {}

  @EventCriteriaBuilder
  static EventCriteria criteria(String rulesHash) {
    return EventCriteria.havingTags(ObservedRulesTag.of(rulesHash));
  }

  boolean isRecorded() {
    return isRecorded;
  }

  @EventSourcingHandler
  void on(RulesObserved event) {
    isRecorded = true;
  }
}
