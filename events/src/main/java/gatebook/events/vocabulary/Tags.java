package gatebook.events.vocabulary;

import gatebook.events.ApprovalEvent;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import java.util.HashSet;
import java.util.Set;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The tags events are found by. They follow from the families: a call's events carry {@code call},
 * and those about an approval also {@code approval} and, when there is one, {@code task}.
 */
final class Tags implements TagResolver {
  @Override
  public Set<Tag> resolve(EventMessage message) {
    return message.payload() instanceof Event event ? of(event) : Set.of();
  }

  static Set<Tag> of(Event event) {
    return event instanceof ApprovalEvent approval ? of(approval) : ofCall(event);
  }

  /** Kept in memory for the newest events: the smallest of sets. */
  private static Set<Tag> ofCall(Event event) {
    return event instanceof CallEvent call
        ? Set.of(new Tag("call", call.callId().toString()))
        : Set.of();
  }

  private static Set<Tag> of(ApprovalEvent approval) {
    var tags = new HashSet<>(ofCall(approval));
    tags.add(new Tag("approval", approval.approvalId().toString()));
    if (approval.taskId() != null) {
      tags.add(new Tag("task", approval.taskId()));
    }
    return Set.copyOf(tags);
  }
}
