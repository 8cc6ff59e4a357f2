package gatebook.events.vocabulary;

import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.axonframework.messaging.core.MessageType;
import org.axonframework.messaging.eventhandling.GenericEventMessage;
import org.axonframework.messaging.eventstreaming.Tag;
import org.junit.jupiter.api.Test;

class EventTagsTest {
  private static final UUID TREE = new UUID(0, 1);
  private static final UUID EXECUTION = new UUID(0, 2);

  private final EventVocabulary eventVocabulary = new EventVocabulary();

  @Test
  void anEventIsFoundByTheTagsOfItsFamilies() {
    for (var event : Samples.events().values()) {
      assertThat(tags(event)).as(event.toString()).isEqualTo(expected(event));
    }
  }

  @Test
  void anApprovalWithoutATaskHasNoTaskTag() {
    var event = (Event) Absent.without(Samples.approvalRequested());

    assertThat(tags(event).stream().map(Tag::key).collect(toUnmodifiableSet()))
        .isEqualTo(Set.of("call", "approval"));
  }

  @Test
  void anAgentsContextWithoutATaskHasNoTaskTag() {
    var event = new AgentTaskCreated(new UUID(0, 1), "planner", "joe", null, "c", Instant.EPOCH);

    assertThat(tags(event).stream().map(Tag::key).collect(toUnmodifiableSet()))
        .isEqualTo(Set.of("call", "agent-context"));
  }

  @Test
  void anExecutionFindsOnlyTheLastMessageOfItsWebhook() {
    assertThat(tags(delivered(false))).containsExactly(new Tag("tree", TREE.toString()));
    assertThat(tags(delivered(true)))
        .containsExactlyInAnyOrder(
            new Tag("tree", TREE.toString()), new Tag("tree-execution", EXECUTION.toString()));
  }

  private static Event delivered(boolean last) {
    return new TreeWebhookDelivered(
        TREE, "joe", EXECUTION, "progress", "a", last, 1, 200, Instant.EPOCH);
  }

  @Test
  void messageIsNamedByItsSenderAgentAndId() {
    assertThat(
            Set.of(
                SentMessageTag.value("joe", null, "m"),
                SentMessageTag.value("ann", null, "m"),
                SentMessageTag.value("joe", "planner", "m"),
                SentMessageTag.value("joe", null, "n")))
        .hasSize(4);
  }

  private Set<Tag> tags(Event event) {
    MessageType type = eventVocabulary.typeOf(event.getClass()).orElseThrow();
    return new EventTags().resolve(new GenericEventMessage(type, event));
  }

  private static boolean isAboutAMessageBeforeTheLast(Event event) {
    return switch (event) {
      case TreeWebhookDelivered delivered -> !delivered.last();
      case TreeWebhookFailed failed -> !failed.last();
      default -> false;
    };
  }

  private static Set<Tag> expected(Event event) {
    var tags = new HashSet<Tag>();
    if (event instanceof CheckpointKeyRotated) {
      tags.add(new Tag("key", "checkpoint"));
    }
    if (event instanceof RollbackFound) {
      tags.add(new Tag("rollback", "journal"));
    }
    if (event instanceof EventsDropped) {
      tags.add(new Tag("dropped-from", "1"));
    }
    if (event instanceof RulesObserved(var hash, _, _, _, _)) {
      tags.add(new Tag("observed-rules", hash));
    }
    if (event instanceof BackupEvent) {
      tags.add(new Tag("backup", "content-keys"));
    }
    if (event instanceof ErasureEvent) {
      tags.add(new Tag("erasure", "content"));
    }
    if (event instanceof CallEvent) {
      tags.add(new Tag("call", "0199a3c2-7d10-7c4e-8f21-5b6a7c8d9e0f"));
    }
    if (event instanceof ApprovalEvent) {
      tags.add(new Tag("approval", "0199a3c2-7d11-7aaa-9bbb-0c1d2e3f4a5b"));
    }
    if (event instanceof ApprovalEvent || event instanceof TaskEvent) {
      tags.add(new Tag("task", "tg_4f9a1c0de72b8a6530f1e"));
    }
    if (event instanceof TaskCreated created && created.message() != null) {
      tags.add(SentMessageTag.of("5e88"));
    }
    if (event instanceof AgentTaskCreated created && created.message() != null) {
      tags.add(SentMessageTag.of("5e88"));
    }
    if (event instanceof AgentTaskCreated created) {
      if (created.toldContextId() != null) {
        tags.add(AgentTaskTag.ofContext("planner", "told-1"));
      }
      tags.add(AgentTaskTag.ofTask("planner", "task-1"));
      tags.add(AgentTaskTag.ofContext("planner", "context-1"));
    }
    if (event instanceof TreeEvent) {
      tags.add(new Tag("tree", "0199a3c2-7d12-7bbb-8ccc-1d2e3f4a5b6c"));
    }
    if (event instanceof TreeTaskEvent) {
      tags.add(TreeTaskTag.of("ci", "550e8400-e29b-41d4-a716-446655440000"));
    }
    if (event instanceof TreeExecutionEvent && !isAboutAMessageBeforeTheLast(event)) {
      tags.add(new Tag("tree-execution", "0199a3c2-7d13-7ccc-9ddd-2e3f4a5b6c7d"));
    }
    return tags;
  }
}
