package gatebook.command.tree.execution;

import gatebook.events.TreeExecutionEnded;
import gatebook.events.TreeExecutionStarted;
import gatebook.events.TreeWebhookDelivered;
import gatebook.events.TreeWebhookFailed;
import gatebook.events.TreeWebhookTakenOver;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;
import org.jspecify.annotations.Nullable;

/** Entity of the webhook of one execution, sourced from the events of that execution alone. */
@EventSourcedEntity(tagKey = "tree-execution")
public final class TreeWebhookEntity {
  private @Nullable OpenDelivery open;

  @EntityCreator
  TreeWebhookEntity() {}

  /**
   * The delivery that is open; absent when the execution has no webhook, or its last message was
   * delivered or given up.
   */
  public @Nullable OpenDelivery open() {
    return open;
  }

  @EventSourcingHandler
  void on(TreeExecutionStarted event) {
    open = OpenDelivery.of(event);
  }

  @EventSourcingHandler
  void on(TreeExecutionEnded event) {
    open = open == null ? null : open.ended(event);
  }

  @EventSourcingHandler
  void on(TreeWebhookDelivered event) {
    open = event.last() ? null : open;
  }

  @EventSourcingHandler
  void on(TreeWebhookFailed event) {
    open = event.last() && event.givenUp() ? null : open;
  }

  @EventSourcingHandler
  void on(TreeWebhookTakenOver event) {
    open = open == null ? null : open.takenOver(event.takenOverAt());
  }
}
