package gatebook.events.vocabulary;

import gatebook.events.ApprovalEvent;
import gatebook.events.CallEvent;
import gatebook.events.Event;
import gatebook.events.TaskEvent;
import java.util.HashSet;
import java.util.Set;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * The tags events are found by. They follow from the families: a call's events carry {@code call},
 * those about an approval also {@code approval}, and where there is a task, {@code task}.
 */
final class Tags implements TagResolver {
  @Override
  public Set<Tag> resolve(EventMessage message) {
    return message.payload() instanceof Event event ? of(event) : Set.of();
  }

  static Set<Tag> of(Event event) {
    var tags = new HashSet<Tag>();
    if (event instanceof CallEvent call) {
      tags.add(new Tag("call", call.callId().toString()));
    }
    if (event instanceof ApprovalEvent approval) {
      tags.add(new Tag("approval", approval.approvalId().toString()));
      if (approval.taskId() != null) {
        tags.add(new Tag("task", approval.taskId()));
      }
    }
    if (event instanceof TaskEvent task) {
      tags.add(new Tag("task", task.taskId()));
    }
    return tags;
  }
}
