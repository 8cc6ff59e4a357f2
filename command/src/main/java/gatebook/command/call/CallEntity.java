package gatebook.command.call;

import gatebook.events.AgentTaskCreated;
import gatebook.events.ApprovalGranted;
import gatebook.events.ApprovalRejected;
import gatebook.events.ApprovalRequested;
import gatebook.events.ApprovalTimedOut;
import gatebook.events.CallAbandoned;
import gatebook.events.CallAdmitted;
import gatebook.events.CallAnswered;
import gatebook.events.CallEvent;
import gatebook.events.CallForwarded;
import gatebook.events.CallOrphaned;
import gatebook.events.CallReceived;
import gatebook.events.CallerReplied;
import gatebook.events.ErrorTranslated;
import gatebook.events.GateDenied;
import gatebook.events.MessageRefused;
import gatebook.events.ResultKept;
import gatebook.events.SourceAsked;
import gatebook.events.TaskCreated;
import org.axonframework.eventsourcing.annotation.EventSourcedEntity;
import org.axonframework.eventsourcing.annotation.EventSourcingHandler;
import org.axonframework.eventsourcing.annotation.reflection.EntityCreator;

/**
 * Entity of one call, sourced from the events with the call's tag.
 *
 * <p>It is one class that holds the {@link CallState}: Axon 5.0.1 drops, without an error, an
 * entity of another class that a handler returns. It ignores an event without a handler, too, so
 * every event of a call has one.
 */
@EventSourcedEntity(tagKey = "call")
public final class CallEntity {
  private CallState state = CallState.EMPTY;

  @EntityCreator
  CallEntity() {}

  public CallState state() {
    return state;
  }

  private void evolve(CallEvent event) {
    state = state.evolve(event);
  }

  @EventSourcingHandler
  void on(CallReceived event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallAdmitted event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(GateDenied event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ApprovalRequested event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ApprovalGranted event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ApprovalRejected event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ApprovalTimedOut event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(TaskCreated event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ResultKept event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(AgentTaskCreated event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallForwarded event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(SourceAsked event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallerReplied event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallAnswered event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(ErrorTranslated event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(MessageRefused event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallAbandoned event) {
    evolve(event);
  }

  @EventSourcingHandler
  void on(CallOrphaned event) {
    evolve(event);
  }
}
