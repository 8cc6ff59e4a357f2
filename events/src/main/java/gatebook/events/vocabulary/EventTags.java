package gatebook.events.vocabulary;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalEvent;
import gatebook.events.BackupEvent;
import gatebook.events.CallEvent;
import gatebook.events.CheckpointKeyRotated;
import gatebook.events.ErasureEvent;
import gatebook.events.Event;
import gatebook.events.EventsDropped;
import gatebook.events.RollbackFound;
import gatebook.events.RulesObserved;
import gatebook.events.TaskCreated;
import gatebook.events.TaskEvent;
import gatebook.events.TreeEvent;
import gatebook.events.TreeExecutionEvent;
import gatebook.events.TreeTaskEvent;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.journal.RecordedRollback;
import gatebook.events.journal.RecordedRotation;
import gatebook.events.journal.drop.RecordedDrop;
import java.util.HashSet;
import java.util.Set;
import org.axonframework.eventsourcing.eventstore.TagResolver;
import org.axonframework.messaging.eventhandling.EventMessage;
import org.axonframework.messaging.eventstreaming.Tag;

/**
 * Derives the tags by which events are found from the families of events: a call's events carry
 * {@code call}, those of an approval also {@code approval}, and where there is a task, {@code
 * task}; the creation of a task that a message asked for {@code sent-message}; those of an agent's
 * task {@code agent-task} and {@code agent-context}; a tree's events carry {@code tree}, those of
 * one of its tasks also {@code tree-task}, those of one of its executions also {@code
 * tree-execution}, unless they are about one of thousands of messages that nothing depends on; an
 * erasure carries {@code erasure}, a backup {@code backup}, a rotation of the checkpoint key {@code
 * key}, a rollback {@code rollback}; observed rules {@code observed-rules}; what is dropped is
 * found by its first position.
 */
final class EventTags implements TagResolver {
  @Override
  public Set<Tag> resolve(EventMessage message) {
    return message.payload() instanceof Event event ? of(event) : Set.of();
  }

  static Set<Tag> of(Event event) {
    return switch (event) {
      case ApprovalEvent approval -> of(approval);
      case TaskCreated created when created.message() != null ->
          Set.of(call(created), task(created), SentMessageTag.of(created.message().key()));
      case TaskEvent task -> Set.of(call(task), task(task));
      case AgentTaskCreated created -> of(created);
      case CallEvent call -> Set.of(call(call));
      case ErasureEvent _ -> Set.of(ErasureTag.TAG);
      case BackupEvent _ -> Set.of(BackupTag.TAG);
      case TreeTaskEvent task -> Set.of(tree(task), TreeTaskTag.of(task.owner(), task.taskId()));
      case TreeWebhookDelivered delivered when !delivered.last() -> Set.of(tree(delivered));
      case TreeWebhookFailed failed when !failed.last() -> Set.of(tree(failed));
      case TreeExecutionEvent execution ->
          Set.of(tree(execution), new Tag("tree-execution", execution.executionId().toString()));
      case CheckpointKeyRotated _ -> Set.of(RecordedRotation.TAG);
      case RollbackFound _ -> Set.of(RecordedRollback.TAG);
      case RulesObserved observed -> Set.of(ObservedRulesTag.of(observed.rulesHash()));
      case EventsDropped dropped -> Set.of(RecordedDrop.tag(dropped.from()));
      default -> Set.of();
    };
  }

  private static Set<Tag> of(ApprovalEvent approval) {
    Tag approvalTag = new Tag("approval", approval.approvalId().toString());
    return approval.taskId() == null
        ? Set.of(call(approval), approvalTag)
        : Set.of(call(approval), approvalTag, new Tag("task", approval.taskId()));
  }

  private static Set<Tag> of(AgentTaskCreated created) {
    Set<Tag> tags = new HashSet<>(Set.of(call(created)));
    if (created.taskId() != null) {
      tags.add(AgentTaskTag.ofTask(created.source(), created.taskId()));
    }
    if (created.contextId() != null) {
      tags.add(AgentTaskTag.ofContext(created.source(), created.contextId()));
    }
    if (created.toldContextId() != null) {
      tags.add(AgentTaskTag.ofContext(created.source(), created.toldContextId()));
    }
    if (created.message() != null) {
      tags.add(SentMessageTag.of(created.message().key()));
    }
    return Set.copyOf(tags);
  }

  private static Tag task(TaskEvent event) {
    return new Tag("task", event.taskId());
  }

  private static Tag tree(TreeEvent event) {
    return new Tag("tree", event.treeId().toString());
  }

  private static Tag call(CallEvent event) {
    return new Tag("call", event.callId().toString());
  }
}
